// A titled part of the result. A part that has a name is folded away until a person opens it.

import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { allOpen, isOpen, openAll, setOpen } from '../app/folds';
import { glossary, type TermId } from '../content/glossary';
import { s } from '../content/strings';
import { Term } from './term';

interface Props {
  title: ComponentChildren;
  /** The word of the title that has a definition. */
  term?: TermId;
  hint?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

export function Section({ title, term, hint, class: extra, children }: Props) {
  const id = useId();
  return (
    <section class={extra ? `card ${extra}` : 'card'} aria-labelledby={id}>
      <h2 id={id}>{term ? <Term id={term}>{title}</Term> : title}</h2>
      {hint && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

interface FoldedProps extends Props {
  /** One name per part, in all tabs. */
  name: string;
  /** The part's main figure, in sight while it is folded. */
  brief?: string;
  /** Open from the start: a link shows something in it. */
  begins?: boolean;
}

/** Its content is rendered when it is open, because charts need their width. */
export function Folded({ title, term, hint, class: extra, name, brief, begins = false, children }: FoldedProps) {
  const id = useId();
  const open = isOpen(name);
  useEffect(() => {
    if (begins) setOpen(name, true, namesOnShow());
  }, [begins]);
  return (
    <section class={extra ? `card folded ${extra}` : 'card folded'} aria-labelledby={id} data-part={name}>
      <details open={open} onToggle={(e) => setOpen(name, e.currentTarget.open, namesOnShow())}>
        <summary>
          <h2 id={id}>{title}</h2>
          {brief && <span class="brief">{brief}</span>}
        </summary>
        {open && (
          <>
            {(term || hint) && (
              <p class="hint">
                {term && <Term id={term}>{glossary[term]}.</Term>} {hint}
              </p>
            )}
            {children}
          </>
        )}
      </details>
    </section>
  );
}

const namesOnShow = () =>
  [...document.querySelectorAll<HTMLElement>('[data-part]')].map((part) => part.dataset.part ?? '');

/** Opens or folds every part of the tab at once. */
export function FoldAll() {
  const all = allOpen();
  return (
    <p class="fold-all">
      <button type="button" class="link-button" onClick={() => openAll(!all)}>
        {all ? s.part.foldAll : s.part.openAll}
      </button>
    </p>
  );
}
