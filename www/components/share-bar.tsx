// Shares of a whole as one bar with its legend. Colours come with names and numbers, never alone.

import { count, percent, share } from '../content/format';
import type { TermId } from '../content/glossary';
import { Term } from './term';

export interface BarPart {
  id: string;
  name: string;
  term: TermId;
  /** A class of the style sheet. */
  colour: string;
  value: number;
}

/** `label` makes the text for people who do not see the bar from its shares. */
export function ShareBar({ parts, label }: { parts: BarPart[]; label: (shares: string) => string }) {
  const all = parts.reduce((sum, { value }) => sum + value, 0);
  const shares = parts.map(({ name, value }) => `${name} ${percent(share(value, all))}`).join(', ');
  return (
    <div class="class-bar">
      <div role="img" aria-label={label(shares)}>
        <span class="bar" aria-hidden="true">
          {parts
            .filter(({ value }) => value > 0)
            .map(({ id, colour, value }) => (
              <span key={id} class={`bar-part ${colour}`} style={{ width: `${100 * share(value, all)}%` }} />
            ))}
        </span>
      </div>
      <ul class="legend">
        {parts.map(({ id, colour, term, name, value }) => (
          <li key={id} class={value === 0 ? 'zero' : undefined}>
            <span class={`swatch ${colour}`} aria-hidden="true" />
            <Term id={term}>{name}</Term>
            <span class="legend-number">
              <strong>{percent(share(value, all))}</strong> <span class="quiet">{count(value)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
