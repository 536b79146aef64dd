// The frame: header, tabs, the open tab, and what lies over all of them.

import { Component, type ComponentChildren } from 'preact';
import { tab, TABS, viewValue } from '../../app/tabs';
import type { Crash } from '../../app/store';
import { CrashCard } from '../../components/crash-card';
import { FileInput } from '../../components/file-input';
import { Lazy } from '../../components/lazy';
import { Toast } from '../../components/toast';
import { s } from '../../content/strings';
import { CacheTab } from '../cache';
import { DropLayer } from './drop-layer';
import { Header } from './header';
import { HelpSheet } from './help-sheet';
import { LazyTab } from './lazy-tab';
import { TabBar } from './tab-bar';

const loadBar = () =>
  import(/* webpackChunkName: 'exercise-bar' */ './exercise-bar').then((module) => module.ExerciseBar);

export function Shell() {
  return (
    <Guard>
      <a class="skip" href="#result" onClick={skip}>
        {s.skip}
      </a>
      <Header />
      {TABS.length > 1 && <TabBar />}
      {tab.value !== 'learn' && viewValue('learn.exercise') !== null && <Lazy load={loadBar} props={{}} silent />}
      <Toast />
      <div id="tab-panel">{tab.value === 'cache' ? <CacheTab /> : <LazyTab id={tab.value} />}</div>
      <FileInput />
      <DropLayer />
      <HelpSheet />
    </Guard>
  );
}

/** The hash is the scenario's, so the skip link moves the focus itself. */
function skip(event: Event) {
  event.preventDefault();
  document.getElementById('result')?.focus();
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
