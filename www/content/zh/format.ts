// Numbers are written as in English; only the word for bytes differs.

import { bytes as english } from '../format';

export * from '../format';

/** 16384 → "16 KiB", 12 → "12 字节". */
export const bytes = (n: number) => english(n).replace('bytes', '字节');
