// A word of the field with its definition one click away.

import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { glossary, type TermId } from '../content/glossary';
import { s } from '../content/strings';

/** Keeps the note beside its button and on the screen. */
function place(button: HTMLElement, note: HTMLElement) {
  const b = button.getBoundingClientRect();
  const width = Math.min(320, innerWidth - 24);
  note.style.width = `${width}px`;
  note.style.left = `${Math.max(12, Math.min(b.left, innerWidth - width - 12))}px`;
  const below = b.bottom + 8;
  const height = note.offsetHeight || 140;
  note.style.top = `${below + height > innerHeight ? Math.max(12, b.top - height - 8) : below}px`;
}

export function Term({ id, children }: { id: TermId; children?: ComponentChildren }) {
  const noteId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const entry = glossary[id];
  const onToggle = (event: Event) => {
    const opens = (event as ToggleEvent).newState === 'open';
    if (opens && button.current) place(button.current, event.currentTarget as HTMLElement);
  };
  return (
    <span class="term">
      {children}
      <button
        ref={button}
        type="button"
        class="term-button"
        popovertarget={noteId}
        aria-label={s.term.what(entry.name)}
      >
        ?
      </button>
      <span id={noteId} popover="auto" class="term-note" onToggle={onToggle}>
        <strong>{entry.name}</strong>
        <span>{entry.text}</span>
      </span>
    </span>
  );
}
