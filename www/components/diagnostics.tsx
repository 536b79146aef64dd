// What the engine has to say about the input: place, expected, found, remedy.

import type { ComponentChildren } from 'preact';
import { dismissDiagnostics } from '../app/actions';
import { diagnostics, outcome, streams } from '../app/store';
import { openIn } from '../app/tabs';
import { say } from '../content/messages';
import { Coded } from './coded';
import { s } from '../content/strings';
import type { Diagnostic, Severity } from '../engine/types';

const RANK: Severity[] = ['error', 'warning', 'note'];
/** Beyond this a list is folded, so that the verdict stays in sight. */
const OPEN_UP_TO = 3;

export function Diagnostics() {
  const files = streams.value;
  return (
    <DiagnosticList list={diagnostics.value} outcome={outcome.value} dismiss={dismissDiagnostics}>
      {files.length > 0 && (
        <p class="buttons">
          <button type="button" class="primary" onClick={() => void openIn('reuse', files)}>
            {s.diagnostics.toReuse}
          </button>
        </p>
      )}
    </DiagnosticList>
  );
}

interface Props {
  list: Diagnostic[];
  /** A sentence above them: what became of the input. */
  outcome?: string;
  /** What can be done about it. */
  children?: ComponentChildren;
  dismiss: () => void;
}

export function DiagnosticList({ list, outcome = '', children, dismiss }: Props) {
  if (list.length === 0 && !outcome) return null;
  const ordered = list.slice().sort((a, b) => RANK.indexOf(a.severity) - RANK.indexOf(b.severity));
  const number = (severity: Severity) => list.filter((d) => d.severity === severity).length;
  const worst = ordered[0]?.severity ?? 'warning';
  const grave = worst === 'error' || outcome !== '';
  // A warning says that the result below is not of the whole input, so the first ones are never folded away.
  const warned = list.length > OPEN_UP_TO ? ordered.slice(0, OPEN_UP_TO).filter((d) => d.severity !== 'note') : ordered;
  const folded = ordered.slice(warned.length);
  return (
    <section
      class={`card diagnostics ${worst}`}
      role={grave ? 'alert' : undefined}
      aria-label={s.diagnostics.headingRun}
    >
      <div class="card-head">
        <h2>
          {s.diagnostics.headingRun}: {s.diagnostics.summary(number('error'), number('warning'))}
        </h2>
        <button type="button" class="quiet-button" onClick={dismiss} aria-label={s.diagnostics.dismiss}>
          ×
        </button>
      </div>
      {outcome && <p>{outcome}</p>}
      {children}
      <Items list={warned} />
      {folded.length > 0 && (
        <details open={grave}>
          <summary>{s.diagnostics.show(folded.length)}</summary>
          <Items list={folded} />
        </details>
      )}
    </section>
  );
}

function Items({ list }: { list: Diagnostic[] }) {
  if (list.length === 0) return null;
  return (
    <ul>
      {list.map((d, i) => (
        <Item key={i} d={d} />
      ))}
    </ul>
  );
}

export function Item({ d }: { d: Diagnostic }) {
  return (
    <li class={`diagnostic ${d.severity}`}>
      <p>
        <span class={`badge ${d.severity}`}>{s.diagnostics.severity[d.severity]}</span>{' '}
        <span class="place">{s.diagnostics.place(d.file, d.line)}</span>
      </p>
      <dl>
        {(
          [
            [s.diagnostics.expected, d.expected],
            [s.diagnostics.found, d.found],
            [d.severity === 'note' ? s.diagnostics.about : s.diagnostics.help, d.help],
          ] as const
        ).map(
          ([name, text]) =>
            text && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Coded text={say(text)} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </li>
  );
}
