// The answer in a sentence, and how far it can be relied on.

import { Section } from '../../components/section';
import { Term } from '../../components/term';
import { count } from '../../content/format';
import { p } from '../../content/placement';
import type { PlaceLine, PlacePrepared, PlaceRanking } from '../../engine/placement/types';
import { answerOf, moved, ratio } from './settings';
import { reproduced, stopped, took } from './state';

interface Props {
  prepared: PlacePrepared;
  ranking: PlaceRanking;
}

export function Verdict({ prepared, ranking }: Props) {
  const { sample, arrays } = prepared;
  const best = answerOf(ranking.lines, sample.placement);
  if (!best) return null;
  const names = arrays.map((a) => a.name);
  const ties = ranking.lines.filter((line) => line.tie);
  // The ranking has the trace's own placement, unless it is not legal or was not evaluated.
  const own = ranking.lines.find((line) => moved(line.placement, sample.placement).length === 0);
  const versus = ratio(best, own ?? sample);
  const faster = versus < 1 && moved(best.placement, sample.placement).length > 0;
  // The answer is the simplest of those that tie, so another one may be predicted to be faster.
  const first = ranking.lines[0]!;
  const saved = 1 - ratio(first, own ?? sample);
  const within = own?.tie === true && saved > 0;
  const sentence = within
    ? p.verdict.stayTie
    : faster
      ? p.verdict.sentence(names, best, sample.placement, 1 / versus)
      : (own ?? best).machine_microseconds === null
        ? p.verdict.stay
        : p.verdict.stayRun;
  return (
    <Section title={p.verdict.heading} class="verdict">
      <p class="sentence" data-testid="placement-sentence">
        {sentence}
      </p>
      {prepared.sample_time && <p data-testid="sample-time">{p.verdict.sample(prepared.sample_time)}</p>}
      {ties.length > 1 && <p>{p.verdict.tiesHint(ties.length)}</p>}
      {reproduced.value === true && (
        <p>
          <span class="badge good" title={p.verdict.reproducedMore} data-testid="placement-reproduced">
            ✓ {p.verdict.reproduced}
          </span>
        </p>
      )}
      {reproduced.value === false && (
        <p class="not-reproduced" role="note" data-testid="placement-not-reproduced">
          {p.verdict.notReproduced}
        </p>
      )}
      {within && <p data-testid="first">{p.verdict.first(names, first, sample.placement, saved)}</p>}
      <Facts best={best} now={own ?? sample} ties={ties} prepared={prepared} ranking={ranking} />
    </Section>
  );
}

function Facts({ best, now, ties, prepared, ranking }: Props & { best: PlaceLine; now: PlaceLine; ties: PlaceLine[] }) {
  const search =
    ranking.gap === null ? p.verdict.open : ranking.gap === 0 ? p.verdict.exact : p.verdict.gap(ranking.gap);
  return (
    <dl class="facts">
      <div>
        <dt>{p.verdict.facts.best}</dt>
        <dd>{p.verdict.time(best)}</dd>
      </div>
      <div>
        <dt>{p.verdict.facts.now}</dt>
        <dd>{p.verdict.time(now)}</dd>
      </div>
      <div>
        <dt>{p.verdict.facts.legal}</dt>
        <dd>{ranking.legal === null ? p.verdict.unknown : p.verdict.of(ranking.legal, prepared.nominal)}</dd>
      </div>
      <div>
        <dt>{p.verdict.facts.evaluated}</dt>
        <dd>
          <span data-testid="evaluated">{count(ranking.evaluated)}</span>{' '}
          {took.value && (
            <span class="quiet" data-testid="took">
              {p.verdict.took(took.value.ms, took.value.workers)}
            </span>
          )}
        </dd>
      </div>
      <div>
        <dt>
          <Term id="gap">{p.verdict.facts.search}</Term>
        </dt>
        <dd data-testid="gap">{stopped.value ? p.verdict.open : search}</dd>
      </div>
      {best.chance !== null && (
        <div>
          <dt>
            <Term id="chance">{p.verdict.facts.chance}</Term>
          </dt>
          <dd data-testid="chance">{p.verdict.chance(best.chance, ties)}</dd>
        </div>
      )}
      <div>
        <dt>
          <Term id="tie">{p.verdict.facts.ties}</Term>
        </dt>
        <dd>{p.verdict.ties(ties.length)}</dd>
      </div>
    </dl>
  );
}
