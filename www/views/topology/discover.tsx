// A hidden GPU: the visitor measures it and answers the game's questions, or lets the page find out; then the truth is
// revealed and scored.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce, presets } from '../../app/store';
import { setView, viewValue } from '../../app/tabs';
import { Fold } from '../../components/fold';
import { KeptInput } from '../../components/kept-input';
import { SeedRow } from '../../components/seed-row';
import { g } from '../../content/discover-game';
import { t } from '../../content/topology';
import * as engine from '../../engine/topology/engine';
import type { Discovered, Guess } from '../../engine/topology/types';
import { Answer } from './answer';
import { Experiments, forgetExperiment } from './experiments';
import { beginGame, Game } from './game';
import { Revealed } from './revealed';
import { activity, hidden, hiddenKey, job, progress, safely } from './state';

/** Memories of the hidden GPU, as a programming guide tells them. */
const memories = signal<string[]>([]);
const revealed = signal<{ by: 'you' | 'page'; report: Discovered } | null>(null);
/** What the engine has hidden; another worker has nothing. */
let hiddenNow = '';

async function hide() {
  await safely(async () => {
    memories.value = await engine.ask((r) => r.hide(hidden.value));
    hiddenNow = hiddenKey.value;
    revealed.value = null;
    forgetExperiment();
    await beginGame();
  });
}

function reveal(by: 'you' | 'page', report: Discovered) {
  revealed.value = { by, report };
  announce(t.discover.revealed(report.score.right, report.score.of));
}

const findOut = async () => {
  await engine.ask((r) => r.hide(hidden.value));
  const report = await job(t.discover.page, () => engine.discover(progress));
  if (report) reveal('page', report);
};

const answer = (guess: Guess) => safely(async () => reveal('you', await engine.ask((r) => r.score(guess))));

export function DiscoverSetup() {
  const percent = (key: string, label: string) => (
    <div class="field">
      <label for={`hidden-${key}`}>{label}</label>
      <KeptInput
        id={`hidden-${key}`}
        inputMode="decimal"
        placeholder={t.discover.own}
        value={viewValue(`topology.${key}`) ?? ''}
        onChange={(e) => setView(`topology.${key}`, e.currentTarget.value.trim() || null)}
      />
    </div>
  );
  return (
    <section class="panel" aria-labelledby="discover-title">
      <h2 id="discover-title">{t.discover.heading}</h2>
      <div class="field">
        <label for="hidden-gpu">{t.discover.which}</label>
        <select
          id="hidden-gpu"
          value={viewValue('topology.hidden') ?? ''}
          onChange={(e) => setView('topology.hidden', e.currentTarget.value || null)}
        >
          <option value="">{t.discover.mystery}</option>
          {presets.map((p) => (
            <option key={p.id} value={p.id}>
              {p.name}
            </option>
          ))}
        </select>
      </div>
      <SeedRow
        id="hidden-seed"
        label={t.discover.seed}
        another={t.discover.another}
        seed={hidden.value.seed}
        view="topology.seed"
      />
      <div class="row halves">
        {percent('noise', t.discover.noise)}
        {percent('outliers', t.discover.outliers)}
      </div>
      <p class="lesson">{t.discover.lesson}</p>
    </section>
  );
}

export function Discover() {
  useEffect(() => {
    if (hiddenNow !== hiddenKey.value || memories.value.length === 0) void hide();
  }, [hiddenKey.value]);
  if (memories.value.length === 0) return null;
  const shown = revealed.value;
  return (
    <>
      <Game>
        <button
          type="button"
          class="link-button"
          disabled={activity.value !== null}
          onClick={() => void safely(findOut)}
        >
          {t.discover.page}
        </button>
      </Game>
      {shown && (
        <Revealed key={`${shown.report.gpu}${shown.report.seed}${shown.by}`} by={shown.by} report={shown.report} />
      )}
      <Experiments memories={memories.value} />
      <Fold title={g.everything} name="answer">
        <Answer key={hiddenKey.value} memories={memories.value} onAnswer={(guess) => void answer(guess)} />
      </Fold>
    </>
  );
}
