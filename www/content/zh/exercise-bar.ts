// The words of the line that leads back to an exercise, in Chinese.

export const back = (title: string) => `返回练习“${title}”`;
