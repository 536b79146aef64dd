// Messages of the engine, as this language says them. English is what the engine speaks.

export const say = (text: string) => text;
