// What is said about a file that is no scenario, in Chinese.

import { bytes } from './format';

export const SCENARIO_FILE = {
  expected: '本页保存的场景',
  help: '请用“下载场景文件”重新保存。',
  none: '不含场景的 JSON',
  nested: '基线自身又带有基线',
  tooLarge: (size: number) => `${bytes(size)}；场景最多 4 MiB`,
  version: (version: string) => `版本 ${version}；本页只读版本 1`,
} as const;
