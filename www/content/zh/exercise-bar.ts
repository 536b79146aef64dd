// The words of the line that leads back to an exercise, in Chinese.

import type { back as english } from '../exercise-bar';

export const back: typeof english = (id: string) => `返回练习“${id}”`;
