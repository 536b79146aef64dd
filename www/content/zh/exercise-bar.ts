// The words of the line that leads back to an exercise, in Chinese.

export const back = (id: string) => `返回练习“${id}”`;
