// The Cache tab: what to run on the left, why it missed on the right.

import { useEffect, useRef, useState } from 'preact/hooks';
import {
  crash,
  diagnostics,
  outcome,
  refused,
  result,
  scenario,
  source,
  starting,
  tooBig,
  wanted,
} from '../../app/store';
import { gpuName } from '../../app/gpu-name';
import { CrashCard } from '../../components/crash-card';
import { Diagnostics } from '../../components/diagnostics';
import { Later } from '../../components/later';
import { Lazy } from '../../components/lazy';
import { StatusStrip } from '../../components/status-strip';
import { Wanted } from '../../components/wanted';
import { s } from '../../content/strings';
import { CacheView } from './cache-view';
import { SettingsPanel } from './setup/settings-panel';
import { SourcePanel } from './setup/source-panel';
import { TooBig } from './setup/too-big';

const contents = () =>
  import(/* webpackChunkName: 'contents' */ './contents/contents-view').then((module) => module.ContentsView);

export function CacheTab() {
  return (
    <div class="columns">
      <aside class="setup" aria-label={s.settings.heading}>
        <Later>
          <SourcePanel />
        </Later>
        <Later>
          <SettingsFold />
        </Later>
      </aside>
      <main id="result" tabIndex={-1}>
        <Later>
          <p class="intro">{s.intro}</p>
          <StatusStrip below={result.value !== null} />
          <Content />
        </Later>
      </main>
    </div>
  );
}

/** What the engine has to say must not stay below the fold, as it would under open settings on a small screen. */
function useInSight() {
  const news = [diagnostics.value.length > 0, outcome.value, tooBig.value, wanted.value, crash.value];
  const first = useRef(true);
  useEffect(() => {
    const main = document.getElementById('result');
    if (!first.current && news.some(Boolean) && main && main.getBoundingClientRect().top > innerHeight * 0.6)
      main.scrollIntoView();
    first.current = false;
  }, news);
}

function Content() {
  useInSight();
  if (crash.value) return <CrashCard crash={crash.value} />;
  const empty = !result.value && wanted.value.length === 0 && !outcome.value && tooBig.value === null;
  return (
    <>
      {wanted.value.length > 0 && <Wanted />}
      <Diagnostics />
      {(refused.value || (source.value?.files.length ?? 0) > 0) && <Lazy load={contents} props={{}} silent />}
      {tooBig.value !== null && <TooBig need={tooBig.value} />}
      {empty && starting.value && <p class="quiet">{s.starting}</p>}
      <CacheView />
    </>
  );
}

const wide = matchMedia('(min-width: 60rem)');

/** On a small screen the settings fold away, so that the verdict is in sight. */
function SettingsFold() {
  const [open, setOpen] = useState(wide.matches);
  useEffect(() => {
    const follow = () => setOpen(wide.matches);
    wide.addEventListener('change', follow);
    return () => wide.removeEventListener('change', follow);
  }, []);
  if (wide.matches) return <SettingsPanel />;
  return (
    <details class="settings-fold" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        {s.settings.heading}: <span class="quiet">{gpuName(scenario.value.gpu)}</span>
      </summary>
      <SettingsPanel />
    </details>
  );
}
