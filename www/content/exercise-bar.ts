// The words of the line that leads back to an exercise.

export const back = (title: string) => `Back to the exercise “${title}”`;
