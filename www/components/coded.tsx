// A text in which backticks hold code, as the engine and the pages write it.

/** A backtick without its partner stays one. */
export function Coded({ text }: { text: string }) {
  const parts = text.split('`');
  return <>{parts.length % 2 ? parts.map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part)) : text}</>;
}
