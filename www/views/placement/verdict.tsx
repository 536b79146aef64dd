// The answer in a sentence, and how far it can be relied on.

import { Promised } from '../../components/promised';
import { Section } from '../../components/section';
import { Term } from '../../components/term';
import { count } from '../../content/format';
import { p } from '../../content/placement';
import type { PlaceLine, PlacePrepared, PlaceRanking } from '../../engine/placement/types';
import * as store from '../../app/store';
import { type Advice, ratio } from './advice';
import { activity, advice, gpu, provisional, reproduced, stopped, took } from './state';

interface Props {
  prepared: PlacePrepared;
  ranking: PlaceRanking;
}

export function Verdict({ prepared, ranking }: Props) {
  const found = advice.value;
  if (!found) return null;
  const open = provisional.value;
  // None of them is the best for certain.
  const tied = found.say === 'tie' || found.ties.length > 0;
  return (
    <Section
      title={tied && !open ? p.verdict.recommended : p.verdict.heading}
      class={open ? 'verdict provisional' : 'verdict'}
    >
      <p class="sentence" data-testid="placement-sentence">
        {open ? soFar(found, prepared, ranking) : answer(found, prepared)}
      </p>
      {prepared.sample_time && <p data-testid="sample-time">{p.verdict.sample(prepared.sample_time)}</p>}
      {!open && found.say !== 'tie' && found.ties.length > 0 && (
        <p data-testid="ties">
          {p.verdict.tiesHint(
            found.ties.length,
            found.first === found.best ? null : found.first,
            namesOf(prepared),
            prepared.sample.placement,
          )}
        </p>
      )}
      <Promised kept={reproduced.value} tab="placement" words={p.verdict} />
      <Facts found={found} prepared={prepared} ranking={ranking} />
    </Section>
  );
}

const namesOf = ({ arrays }: PlacePrepared) => arrays.map((a) => a.name);

function answer({ say, best, first, own }: Advice, prepared: PlacePrepared): string {
  const { sample } = prepared;
  const now = own ?? sample;
  if (say === 'tie') return p.verdict.stayTie(namesOf(prepared), first, sample.placement, 1 - ratio(first, now));
  if (say === 'move') return p.verdict.sentence(namesOf(prepared), best, sample.placement, 1 / ratio(best, now));
  return (own ?? best).machine_microseconds === null ? p.verdict.stay : p.verdict.stayRun;
}

/** What leads while a search goes on, or led when it was stopped, and how many placements that is of. */
function soFar({ first, own }: Advice, prepared: PlacePrepared, { evaluated, lines }: PlaceRanking): string {
  const { sample } = prepared;
  const now = activity.value;
  const leads = p.verdict.soFar(namesOf(prepared), first, sample.placement, 1 / ratio(first, own ?? sample));
  if (stopped.value) {
    const ran = lines.filter((line) => line.machine_microseconds !== null).length;
    return `${p.verdict.stopped} ${leads} ${p.verdict.counted.stopped(evaluated, ran)}`;
  }
  if (!now?.total) return leads;
  return `${leads} ${p.verdict.counted[now.work === 'judging' ? 'judging' : 'searching'](now.done, now.total)}`;
}

/** The state of the Cache tab's model, where that gives the same kernel another time than here, or may. */
function otherState({ number }: PlacePrepared, now: PlaceLine): { state: string; known: boolean } | null {
  const { model, state, gpu: itsGpu } = store.scenario.value;
  if (model !== 'gpu' || itsGpu !== gpu.value || state === 'copies') return null;
  const report = store.stale.value ? null : store.result.value?.report;
  const kernel = report?.model === 'gpu' ? report.kernels.find((one) => one.number === number) : undefined;
  if (!kernel) return { state, known: false };
  const there = p.verdict.time({ ...now, machine_microseconds: kernel.gpu.seconds * 1e6 });
  return there === p.verdict.time(now) ? null : { state, known: true };
}

function Facts({ found, prepared, ranking }: Props & { found: Advice }) {
  const open = provisional.value;
  const best = open ? found.first : found.best;
  const now = found.own ?? prepared.sample;
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
        <dd>
          {p.verdict.time(now)}
          {now.machine_microseconds !== null && (
            <span class="fact-note quiet" data-testid="caches">
              {p.verdict.state(otherState(prepared, now))}
            </span>
          )}
        </dd>
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
        <dd data-testid="gap">{open ? p.verdict.open : search}</dd>
      </div>
      {!open && best.chance !== null && (
        <div>
          <dt>
            <Term id="chance">{p.verdict.facts.chance}</Term>
          </dt>
          <dd data-testid="chance">{p.verdict.chance(best.chance, found.ties)}</dd>
        </div>
      )}
      {!open && (
        <div>
          <dt>
            <Term id="tie">{p.verdict.facts.ties}</Term>
          </dt>
          <dd>{p.verdict.ties(Math.max(1, found.ties.length))}</dd>
        </div>
      )}
    </dl>
  );
}
