// A word of the field, underlined with dots: its definition is one click away.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { glossaryEntry } from '../app/docs';
import { definitionOf, loadDefinitions } from '../app/definitions';
import { glossary, type TermId } from '../content/glossary';
import { s } from '../content/strings';

/** Keeps the note on the screen, beside what the button names: a fact's value or a field is below the words. */
function place(button: HTMLElement, note: HTMLElement) {
  const b = (button.closest('.facts > div, .field') ?? button).getBoundingClientRect();
  const width = Math.min(320, innerWidth - 24);
  note.style.width = `${width}px`;
  note.style.left = `${Math.max(12, Math.min(b.left, innerWidth - width - 12))}px`;
  const below = b.bottom + 8;
  const height = note.offsetHeight || 140;
  note.style.top = `${below + height > innerHeight ? Math.max(12, b.top - height - 8) : below}px`;
}

/** A text whose files of the documentation are links to their pages. */
const linked = (text: string) =>
  text.split(/(docs\/\S+)\.md/).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <a href={`${part}.html`} target="_blank" rel="noopener noreferrer">
        {part}.md
      </a>
    ),
  );

export function Term({ id, children }: { id: TermId; children: ComponentChildren }) {
  const noteId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const note = useRef<HTMLSpanElement>(null);
  const name = glossary[id];
  const text = definitionOf(id);
  const onToggle = (event: Event) => {
    if ((event as ToggleEvent).newState !== 'open') return;
    loadDefinitions();
    if (button.current && note.current) place(button.current, note.current);
  };
  useLayoutEffect(() => {
    if (button.current && note.current?.matches(':popover-open')) place(button.current, note.current);
  }, [text]);
  return (
    <span class="term">
      <button
        ref={button}
        type="button"
        class="term-button"
        popovertarget={noteId}
        aria-description={s.term.definition}
      >
        {children}
      </button>
      <span ref={note} id={noteId} popover="auto" class="term-note" onToggle={onToggle}>
        <strong>{name}</strong>
        <span>{linked(text)}</span>
        <a href={glossaryEntry(id)} target="_blank" rel="noopener noreferrer">
          {s.term.more}
        </a>
      </span>
    </span>
  );
}
