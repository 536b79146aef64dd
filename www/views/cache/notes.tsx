// What is not modelled, assumed or ignored, in the engine's sentences.

import { Folded } from '../../components/section';
import { say } from '../../content/messages';
import { s } from '../../content/strings';

export function Notes({ notes }: { notes: string[] }) {
  return (
    <Folded title={s.notes.heading} name="notes" brief={notes.length === 0 ? undefined : s.part.rows(notes.length)}>
      {notes.length === 0 ? (
        <p>{s.notes.none}</p>
      ) : (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{say(note)}</li>
          ))}
        </ul>
      )}
    </Folded>
  );
}
