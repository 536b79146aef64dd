// Messages of the engine, as this language says them. English is what the engine speaks.

export const say = (text: string) => text;

/** Whether the texts are there; what is drawn once asks again when this changes. */
export const speaks = () => true;
