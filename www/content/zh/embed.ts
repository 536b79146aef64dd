// The words around one figure in another page, and in a browser that cannot run the engine, in Chinese.

/** Below a single figure in another page. */
export const EMBED = {
  open: '在 Warpscope 中打开',
  wanted: '此结果需要文件。请在 Warpscope 中打开并提供文件。',
} as const;

/** Above the command that does the same at the terminal. */
export const AT_THE_TERMINAL = '在终端无需浏览器即可进行同样的分析：';
