// The line that a newer version of the page is there, in Chinese.

export const NEWER = {
  text: '本页有新版本。',
  reload: '重新加载',
} as const;
