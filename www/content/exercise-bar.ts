// The words of the line that leads back to an exercise.

export const back = (id: string) => `Back to the exercise “${id}”`;
