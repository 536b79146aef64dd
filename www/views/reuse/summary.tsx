// The result in a sentence, its facts, and which engine ran and why.

import { Promised } from '../../components/promised';
import { Section } from '../../components/section';
import { Term } from '../../components/term';
import { bytes, count } from '../../content/format';
import { duration, r } from '../../content/reuse';
import { hitting, seen } from './explain';
import { needed, type Shown } from './state';

export function Summary({ shown }: { shown: Shown }) {
  const {
    analysed: { result, ms, memory },
    prepared,
    settings,
  } = shown;
  const { all } = result;
  const curve = seen(result, all.miss_ratio_curve);
  const name = r.engine.names[result.engine] ?? result.engine;
  const why = settings.engine === 'auto' ? r.why(prepared.why, prepared.distinct, prepared.accesses) : r.chosen(name);
  const facts: [string, string, string?][] = [
    [r.summary.accesses, count(all.accesses)],
    [
      r.summary.distinct,
      `${count(result.distinct)}${result.sample ? ` (${r.summary.estimated})` : ''}`,
      prepared.line_bytes > 1 ? r.summary.footprint(result.distinct * prepared.line_bytes) : undefined,
    ],
    [r.summary.line, r.line.value(prepared.line_bytes)],
    [r.summary.largest, all.largest === null ? '–' : count(all.largest)],
    [r.summary.time, duration(ms)],
    [r.summary.memory, `${bytes(needed(settings.engine, prepared))}, ${bytes(memory)}`],
  ];
  return (
    <Section title={r.summary.heading} class="verdict">
      <p class="sentence" data-testid="reuse-sentence">
        {result.sample?.error_95.length === 0
          ? r.sample.none
          : r.summary.sentence(all.accesses, result.distinct, hitting(curve, 0.5), hitting(curve, 0.9), curve[0]?.[0])}
      </p>
      <p data-testid="reuse-engine">
        <strong>{r.summary.engine}:</strong> {why}
      </p>
      <Promised kept={shown.reproduced} tab="reuse" words={r.summary} />
      <dl class="facts">
        {facts.map(([term, value, more]) => (
          <div key={term}>
            <dt>{term === r.summary.largest ? <Term id="reuse_distance_stream">{term}</Term> : term}</dt>
            <dd>
              {value} {more && <span class="quiet">{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
