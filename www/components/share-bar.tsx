// Shares of a whole as one bar with its legend. Colours come with names and numbers, never alone.

import { count, percent, share } from '../content/format';
import { d } from '../content/difference';
import type { TermId } from '../content/glossary';
import { Term } from './term';

export interface BarPart {
  id: string;
  name: string;
  /** Its definition, if it has one. */
  term?: TermId | undefined;
  /** A class of the style sheet. */
  colour: string;
  value: number;
}

interface Props {
  parts: BarPart[];
  /** Makes the text for people who do not see the bar from its shares. */
  label: (shares: string) => string;
  /** Values of the same parts in the baseline. Both bars have one scale. */
  base?: Record<string, number> | null;
}

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);

export function ShareBar({ parts, label, base = null }: Props) {
  const all = sum(parts.map(({ value }) => value));
  const before = base && sum(parts.map(({ id }) => base[id] ?? 0));
  const was = (id: string) => (base && before ? `${d.baseline} ${percent(share(base[id] ?? 0, before))}` : '');
  const shares = parts
    .map(({ id, name, value }) => `${name} ${percent(share(value, all))}${base ? ` (${was(id)})` : ''}`)
    .join(', ');
  const scale = Math.max(all, before ?? 0);
  return (
    <div class="class-bar">
      <div role="img" aria-label={label(shares)}>
        <Bar parts={parts} scale={scale} />
        {base && (
          <span class="bar-of" aria-hidden="true">
            <Bar parts={parts.map((part) => ({ ...part, value: base[part.id] ?? 0 }))} scale={scale} />
            <span>{d.baseline}</span>
          </span>
        )}
      </div>
      <ul class="legend">
        {parts.map(({ id, colour, term, name, value }) => (
          <li key={id} class={value === 0 ? 'zero' : undefined}>
            <span class={`swatch ${colour}`} aria-hidden="true" />
            {term ? <Term id={term}>{name}</Term> : name}
            <span class="legend-number">
              <strong>{percent(share(value, all))}</strong> <span class="quiet">{count(value)}</span>
              {base && <span class="difference">{was(id)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Bar({ parts, scale }: { parts: BarPart[]; scale: number }) {
  return (
    <span class="bar" aria-hidden="true">
      {parts
        .filter(({ value }) => value > 0)
        .map(({ id, colour, value }) => (
          <span key={id} class={`bar-part ${colour}`} style={{ width: `${100 * share(value, scale)}%` }} />
        ))}
    </span>
  );
}
