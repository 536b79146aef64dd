// The Placement tab: where the arrays of a kernel should live; and the exercise about a hidden memory's mapping.

import { effect, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { embedded } from '../../app/framed';
import { renameArray } from '../../app/actions';
import { setView } from '../../app/tabs';
import * as store from '../../app/store';
import { CrashCard } from '../../components/crash-card';
import { DiagnosticList, Diagnostics } from '../../components/diagnostics';
import { ProgressBar, useEscape } from '../../components/progress-bar';
import { FoldAll, Folded } from '../../components/section';
import { StatusStrip } from '../../components/status-strip';
import { say } from '../../content/messages';
import { p } from '../../content/placement';
import { s } from '../../content/strings';
import '../../styles/placement.css';
import { Wanted } from '../../components/wanted';
import { Segments } from '../../components/segments';
import { cancel, run, showChosen, takeFiles, tryChanges } from './actions';
import { Changes } from './changes';
import { Export } from './export';
import { Look, LookDetails } from './look';
import { Matrix } from './matrix';
import { MemorySetup, MemoryView } from './memory';
import { Ranked, Ranking } from './ranking';
import { Setup } from './setup';
import {
  activity,
  changesWanted,
  chosen,
  diagnostics,
  input,
  looked,
  message,
  prepared,
  ranking,
  settings,
  wish,
} from './state';
import { Sure } from './sure';
import { Verdict } from './verdict';
import type { Mode } from './settings';

export { takeFiles };

const MODES: Mode[] = ['arrays', 'memory'];
/** What was searched last; coming back to the tab does not search again. */
let ran = '';

export default function PlacementTab() {
  useEffect(
    () =>
      effect(() => {
        const wanted = wish.value;
        if (wanted === ran || settings.value.mode !== 'arrays' || !store.source.value) return;
        ran = wanted;
        untracked(() => void run());
      }),
    [],
  );
  useEffect(
    () =>
      effect(() => {
        const placement = chosen.value;
        if (placement.length > 0 && !activity.peek()) untracked(() => void showChosen());
      }),
    [],
  );
  useEffect(
    () =>
      effect(() => {
        if (changesWanted.value) untracked(() => void tryChanges());
      }),
    [],
  );
  const memory = settings.value.mode === 'memory';
  // What the page has to say about files that could not be used; notes about those that could stay in the Cache tab.
  const about = store.outcome.value !== '' || store.diagnostics.value.some((d) => d.severity === 'error');
  return (
    <div class="columns placement">
      <aside class="setup" aria-label={p.setup}>
        <Segments
          name="placement-mode"
          legend={p.modes.label}
          ids={MODES}
          labels={p.modes}
          value={settings.value.mode}
          set={(m) => setView('placement.mode', m === 'arrays' ? null : m)}
          class="modes"
        />
        {memory ? <MemorySetup /> : <Setup />}
      </aside>
      <main id="result" tabIndex={-1}>
        <p class="intro">{memory ? p.dram.intro : p.intro}</p>
        <Progress />
        {store.crash.value && <CrashCard crash={store.crash.value} />}
        {about && <Diagnostics />}
        <DiagnosticList list={diagnostics.value} dismiss={() => (diagnostics.value = [])} />
        {memory ? <MemoryView /> : <Arrays />}
      </main>
    </div>
  );
}

function Arrays() {
  const ready = prepared.value;
  if (store.wanted.value.length > 0) return <Wanted />;
  if (!ready) {
    const told = diagnostics.value.length > 0 || store.diagnostics.value.some((d) => d.severity === 'error');
    const nothing = (!store.source.value || input.value?.kernels.length === 0) && !told;
    return nothing && !activity.value ? <p class="quiet">{p.source.none}</p> : null;
  }
  return (
    <div class="cache-view" aria-busy={activity.value !== null && activity.value.work !== 'looking'}>
      {ranking.value && <Verdict prepared={ready} ranking={ranking.value} />}
      <Matrix prepared={ready} rename={renameArray} />
      {ranking.value && <Ranking prepared={ready} ranking={ranking.value} />}
      {looked.value && <Look prepared={ready} look={looked.value} />}
      <FoldAll />
      {ranking.value && <Changes prepared={ready} />}
      {ranking.value && <Ranked prepared={ready} ranking={ranking.value} />}
      {looked.value && <LookDetails prepared={ready} look={looked.value} />}
      {!embedded() && <Sure />}
      {ranking.value && <Export prepared={ready} />}
      <Folded title={p.notes} name="notes" brief={s.part.rows(ready.notes.length + 1)}>
        <ul class="notes">
          {ready.notes.map((note) => (
            <li key={note}>{say(note)}</li>
          ))}
          <li>{p.sure.missing}</li>
        </ul>
      </Folded>
    </div>
  );
}

/** What the workers are doing, with their own count, and the way to stop them. */
function Progress() {
  const now = activity.value;
  useEscape(() => activity.value !== null, cancel);
  // Until the page has read another source, the ranking is of the one before.
  if (!now && /reading|emulating/.test(store.activity.value.kind))
    return <StatusStrip below={ranking.value !== null} />;
  const text =
    now &&
    (now.work === 'reading'
      ? s.progress.bytes(now.done, now.total)
      : now.work === 'emulating'
        ? s.progress.of(now.done, now.total)
        : p.progress.evaluated(now.done, now.total, now.best));
  return (
    <div class="status-strip">
      {now && (
        <ProgressBar
          testId="placement-progress"
          label={now.work === 'emulating' ? s.progress.emulating : p.progress[now.work]}
          {...now}
          onCancel={cancel}
        >
          {now.total > 0 && text}
        </ProgressBar>
      )}
      <p role="status" aria-live="polite" class={!now && message.value ? 'status-text' : 'unseen'}>
        {message.value}
      </p>
    </div>
  );
}
