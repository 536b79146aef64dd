// What is not modelled, assumed or ignored, in the engine's sentences.

import { Section } from '../../components/section';
import { s } from '../../content/strings';

export function Notes({ notes }: { notes: string[] }) {
  return (
    <Section title={s.notes.heading}>
      {notes.length === 0 ? (
        <p>{s.notes.none}</p>
      ) : (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}
