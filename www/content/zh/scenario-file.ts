// What is said about a file that is no scenario, in Chinese.

import { bytes } from './format';

export const SCENARIO_FILE = {
  expected: '页面保存的场景',
  help: '请用“下载场景文件”重新保存。',
  none: '没有场景的 JSON',
  nested: '基准自身还有基准',
  tooLarge: (size: number) => `${bytes(size)}；场景最多 4 MiB`,
  version: (version: string) => `版本 ${version}；本页读取版本 1`,
} as const;
