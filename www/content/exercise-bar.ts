// The words of the line that leads back to an exercise.

export const BACK = {
  en: (id: string) => `Back to the exercise “${id}”`,
  zh: (id: string) => `返回练习“${id}”`,
};
