// The note in a frame, in Chinese.

export const FRAMED = {
  title: 'Warpscope 显示在框架中',
  note: '另一个页面把本页嵌入其中，并可能遮住一部分。因此这里不运行任何内容，也不接收文件。',
  open: '在单独的标签页中打开 Warpscope',
} as const;
