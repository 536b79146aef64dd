// The frame: header, what to run on the left, why it missed on the right.

import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CrashCard } from '../components/crash-card';
import { Diagnostics } from '../components/diagnostics';
import { DropLayer } from '../components/drop-layer';
import { FileInput } from '../components/file-input';
import { HelpSheet } from '../components/help-sheet';
import { Later } from '../components/later';
import { StatusStrip } from '../components/status-strip';
import { s } from '../content/strings';
import { CacheView } from '../views/cache/cache-view';
import { ContentsView } from '../views/contents/contents-view';
import { SettingsPanel } from '../views/setup/settings-panel';
import { SourcePanel } from '../views/setup/source-panel';
import { TooBig } from '../views/setup/too-big';
import { Wanted } from '../views/setup/wanted';
import { Header } from './header';
import { LazyTab } from './lazy-tab';
import { TabBar } from './tab-bar';
import { tab, TABS } from './tabs';
import { crash, diagnostics, outcome, presets, result, scenario, starting, tooBig, wanted, type Crash } from './store';

export function Shell() {
  return (
    <Guard>
      <a class="skip" href="#result" onClick={skip}>
        {s.skip}
      </a>
      <Header />
      {TABS.length > 1 && <TabBar />}
      <div id="tab-panel">{tab.value === 'cache' ? <CacheTab /> : <LazyTab id={tab.value} />}</div>
      <FileInput />
      <DropLayer />
      <HelpSheet />
    </Guard>
  );
}

function CacheTab() {
  return (
    <div class="columns">
      <aside class="setup" aria-label={s.settings.heading}>
        <SourcePanel />
        <Later>
          <SettingsFold />
        </Later>
      </aside>
      <main id="result" tabIndex={-1}>
        <p class="intro">{s.intro}</p>
        <StatusStrip />
        <Content />
      </main>
    </div>
  );
}

/** The hash is the scenario's, so the skip link moves the focus itself. */
function skip(event: Event) {
  event.preventDefault();
  document.getElementById('result')?.focus();
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
      <ContentsView />
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
  const gpu = presets.find((p) => p.id === scenario.value.gpu)?.name ?? s.settings.gpuFile;
  return (
    <details class="settings-fold" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        {s.settings.heading}: <span class="quiet">{gpu}</span>
      </summary>
      <SettingsPanel />
    </details>
  );
}

/** A view that throws must not leave a blank page. */
class Guard extends Component<{ children: ComponentChildren }, { broken: Crash | null }> {
  override state = { broken: null };

  static override getDerivedStateFromError(error: Error) {
    return {
      broken: {
        kind: 'page',
        details: `${error.name}: ${error.message}\n${error.stack ?? ''}\n${navigator.userAgent}`,
      },
    };
  }

  override render() {
    const { broken } = this.state;
    return broken ? <CrashCard crash={broken} onAgain={() => location.reload()} /> : this.props.children;
  }
}
