// What the visitor says about the hidden GPU.

import { useState } from 'preact/hooks';
import { Section } from '../../components/section';
import { t } from '../../content/topology';
import type { Guess } from '../../engine/topology/types';
import { parseBytes, parseNumber } from './numbers';
import { NO_CACHE, UNITS } from './questions';

const SPLIT = ['l1', 'texture', 'read_only', 'constant_l1'];
const JOINED = ['l1', 'texture', 'read_only'];
const FIELDS = ['size', 'line_size', 'fetch_granularity', 'latency', 'amount'] as const;
type Field = (typeof FIELDS)[number];

function nameOf(field: Field): string {
  const unit = UNITS[field];
  return unit ? t.discover.inUnit(t.kind(field), unit) : t.kind(field);
}

export function Answer({ memories, onAnswer }: { memories: string[]; onAnswer: (guess: Guess) => void }) {
  const caches = memories.filter((m) => m !== 'shared' && m !== 'main');
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [joined, setJoined] = useState<Record<string, boolean>>({});
  const [global, setGlobal] = useState(true);
  const text = (key: string) => texts[key] ?? '';
  const set = (key: string) => (e: { currentTarget: HTMLInputElement }) =>
    setTexts({ ...texts, [key]: e.currentTarget.value });
  const pair = (a: string, b: string) => [a, b].sort().join('+');
  const guess = (): Guess => ({
    global_in_l1: global,
    caches: Object.fromEntries(
      caches.map((m) => {
        const number = (field: Field) =>
          (field === 'latency' || field === 'amount' ? parseNumber : parseBytes)(text(`${m}.${field}`));
        const shared_with = JOINED.includes(m) ? JOINED.filter((other) => other !== m && joined[pair(m, other)]) : [];
        return [m, { ...NO_CACHE, ...Object.fromEntries(FIELDS.map((field) => [field, number(field)])), shared_with }];
      }),
    ),
    shared_cycles: parseNumber(text('shared')) ?? 0,
    main_cycles: parseNumber(text('main')) ?? 0,
  });
  const pairs = JOINED.flatMap((a, i) => JOINED.slice(i + 1).map((b) => [a, b] as const)).filter(
    ([a, b]) => caches.includes(a) && caches.includes(b),
  );
  return (
    <Section title={t.discover.answer} hint={t.discover.answerHint} class="answer">
      <form
        onSubmit={(e) => {
          e.preventDefault();
          onAnswer(guess());
        }}
      >
        <CacheTable caches={caches} text={text} set={set} />
        <fieldset class="pairs">
          <legend>{t.discover.sharing}</legend>
          {pairs.map(([a, b]) => (
            <label class="check" key={pair(a, b)}>
              <input
                type="checkbox"
                checked={joined[pair(a, b)] ?? false}
                onChange={(e) => setJoined({ ...joined, [pair(a, b)]: e.currentTarget.checked })}
              />
              {`${t.memory(a)}, ${t.memory(b)}`}
            </label>
          ))}
        </fieldset>
        <div class="choices">
          <label class="check">
            <input type="checkbox" checked={global} onChange={(e) => setGlobal(e.currentTarget.checked)} />
            {t.discover.global}
          </label>
          {(['shared', 'main'] as const).map((m) => (
            <div class="field" key={m}>
              <label for={`answer-${m}`}>{m === 'shared' ? t.discover.sharedLatency : t.discover.mainLatency}</label>
              <input id={`answer-${m}`} inputMode="decimal" value={text(m)} onInput={set(m)} />
            </div>
          ))}
          <button type="submit" class="primary">
            {t.discover.reveal}
          </button>
        </div>
      </form>
    </Section>
  );
}

interface TableProps {
  caches: string[];
  text: (key: string) => string;
  set: (key: string) => (event: { currentTarget: HTMLInputElement }) => void;
}

function CacheTable({ caches, text, set }: TableProps) {
  return (
    <div class="table-scroll" role="group" aria-label={t.discover.answer} tabIndex={0}>
      <table>
        <caption class="unseen">{t.discover.answer}</caption>
        <thead>
          <tr>
            <th scope="col">{t.discover.memory}</th>
            {FIELDS.map((field) => (
              <th scope="col" key={field}>
                {nameOf(field)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {caches.map((m) => (
            <tr key={m}>
              <th scope="row">{t.memory(m)}</th>
              {FIELDS.map((field) => (
                <td key={field}>
                  {(field !== 'amount' || SPLIT.includes(m)) && (
                    <input
                      aria-label={t.discover.answerOf(t.memory(m), nameOf(field))}
                      value={text(`${m}.${field}`)}
                      onInput={set(`${m}.${field}`)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
