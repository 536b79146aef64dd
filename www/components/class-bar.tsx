// Requests by outcome as one bar. Colours come with names and numbers, never alone.

import { className, s } from '../content/strings';
import { d } from '../content/difference';
import { count, percent, share } from '../content/format';
import type { TermId } from '../content/glossary';
import type { Misses } from '../engine/types';
import { Term } from './term';

export type Outcome = 'hits' | Exclude<keyof Misses, 'mshr'>;
export const OUTCOMES: Outcome[] = ['compulsory', 'capacity', 'associativity', 'latency', 'hits'];
type Parts = Record<Outcome, number>;

export function outcomeName(outcome: Outcome): string {
  return outcome === 'hits' ? s.verdict.hits : className[outcome];
}

const termOf: Record<Outcome, TermId> = {
  hits: 'hit',
  compulsory: 'compulsory',
  capacity: 'capacity',
  associativity: 'associativity',
  latency: 'latency',
};

/** The bar alone, for table rows; its numbers stand in the row. */
export function Bar({ parts, scale }: { parts: Partial<Parts>; scale?: number }) {
  const total = scale ?? OUTCOMES.reduce((sum, o) => sum + (parts[o] ?? 0), 0);
  return (
    <span class="bar" aria-hidden="true">
      {OUTCOMES.map((o) => {
        const width = share(parts[o] ?? 0, total);
        return width > 0 ? <span key={o} class={`bar-part ${o}`} style={{ width: `${width * 100}%` }} /> : null;
      })}
    </span>
  );
}

interface BarProps {
  parts: Parts;
  requests: number;
  /** The same of the baseline. Both bars have one scale. */
  base?: { parts: Parts; requests: number } | null;
}

/** The large bar with its legend. */
export function ClassBar({ parts, requests, base = null }: BarProps) {
  const scale = Math.max(requests, base?.requests ?? 0);
  const was = (o: Outcome) => (base ? `${d.baseline} ${percent(share(base.parts[o], base.requests))}` : '');
  const text = OUTCOMES.map(
    (o) => `${outcomeName(o)} ${percent(share(parts[o], requests))}${base ? ` (${was(o)})` : ''}`,
  ).join(', ');
  return (
    <div class="class-bar">
      <div role="img" aria-label={s.verdict.bar(text)}>
        <Bar parts={parts} scale={scale} />
        {base && (
          <span class="bar-of" aria-hidden="true">
            <Bar parts={base.parts} scale={scale} />
            <span>{d.baseline}</span>
          </span>
        )}
      </div>
      <ul class="legend">
        {OUTCOMES.map((o) => (
          <li key={o} class={parts[o] === 0 ? 'zero' : undefined}>
            <span class={`swatch ${o}`} aria-hidden="true" />
            <Term id={termOf[o]}>{outcomeName(o)}</Term>
            <span class="legend-number">
              <strong>{percent(share(parts[o], requests))}</strong> <span class="quiet">{count(parts[o])}</span>
              {base && <span class="difference">{was(o)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
