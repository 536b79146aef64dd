// The Reuse tab: distances and miss ratios of a stream, exact and approximate.

import { effect, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { CrashCard } from '../../components/crash-card';
import { DiagnosticList, Diagnostics } from '../../components/diagnostics';
import { FoldAll } from '../../components/section';
import * as store from '../../app/store';
import { setView, viewValue } from '../../app/tabs';
import { r } from '../../content/reuse';
import '../../styles/reuse.css';
import { Compare } from './compare';
import { Curve } from './curve';
import { Export } from './export';
import { Histogram } from './histogram';
import { nameOf, Parts } from './parts';
import { Progress } from './progress';
import { Sample } from './sample';
import { Setup } from './setup';
import { run, takeFiles } from './actions';
import { activity, diagnostics, settings, shown, wish, type Shown } from './state';
import { Summary } from './summary';
import { Sweep } from './sweep';
import { TooBig } from './too-big';
import { Wanted } from './wanted';

export { takeFiles };

/** What was run last; coming back to the tab does not run it again. */
let ran = '';

export default function ReuseView() {
  useEffect(
    () =>
      effect(() => {
        const wanted = wish.value;
        if (wanted === ran) return;
        ran = wanted;
        untracked(() => void run());
      }),
    [],
  );
  // What the page has to say about files that could not be used. A stream that the Cache tab refused can be used here.
  const about = store.outcome.value !== '' && store.streams.value.length === 0;
  return (
    <div class="columns">
      <aside class="setup" aria-label={r.setup}>
        <Setup />
      </aside>
      <main id="result" tabIndex={-1}>
        <p class="intro">{r.intro}</p>
        <Progress />
        {store.crash.value && <CrashCard crash={store.crash.value} />}
        <Wanted />
        {about && <Diagnostics />}
        <DiagnosticList list={diagnostics.value} dismiss={() => (diagnostics.value = [])} />
        <TooBig />
        {settings.value.input === 'trace' && !store.source.value && <p class="quiet">{r.problem.noSource}</p>}
        {shown.value && <Result shown={shown.value} />}
      </main>
    </div>
  );
}

function Result({ shown }: { shown: Shown }) {
  const { all, kernels, arrays } = shown.analysed.result;
  const part = viewValue('reuse.part') ?? 'all';
  const choose = (key: string) => setView('reuse.part', key === all.key ? null : key);
  const series = [...arrays, ...kernels].find((one) => one.key === part) ?? all;
  return (
    <div class="cache-view" aria-busy={activity.value !== null}>
      <Summary shown={shown} />
      {series !== all && (
        <p class="banner">
          {r.parts.shown(nameOf(series))}{' '}
          <button type="button" onClick={() => choose(all.key)}>
            {r.parts.show(r.parts.all)}
          </button>
        </p>
      )}
      <Curve shown={shown} series={series} />
      <Histogram shown={shown} series={series} />
      <FoldAll />
      <Parts shown={shown} chosen={series.key} choose={choose} />
      <Compare shown={shown} />
      <Sweep shown={shown} />
      <Sample shown={shown} />
      <Export shown={shown} />
    </div>
  );
}
