// The Kernel tab: CUDA text that is run here, and its misses line by line.

import { useEffect } from 'preact/hooks';
import { dismissDiagnostics } from '../../app/actions';
import { crash, diagnostics, outcome, streams, wanted } from '../../app/store';
import { Coded } from '../../components/coded';
import { CrashCard } from '../../components/crash-card';
import { DiagnosticList, Diagnostics } from '../../components/diagnostics';
import { Lazy } from '../../components/lazy';
import { StatusStrip } from '../../components/status-strip';
import { Wanted } from '../../components/wanted';
import { k } from '../../content/kernel';
import { s } from '../../content/strings';
import { Outcome } from './outcome';
import { Setup } from './setup';
import { draft, outdated, watch } from './state';
import '../../styles/kernel.css';

/** The editor's code begins in a task of its own, apart from that of the tab. */
const loadCode = () => import(/* webpackChunkName: 'code' */ './code').then((module) => module.Code);

export default function KernelTab() {
  useEffect(watch, []);
  return (
    <div class="columns kernel">
      <aside class="setup" aria-label={k.setup}>
        <Setup />
      </aside>
      <main id="result" tabIndex={-1}>
        <p class="intro">{k.intro}</p>
        <StatusStrip below={false} />
        {crash.value && <CrashCard crash={crash.value} />}
        {wanted.value.length > 0 && <Wanted />}
        {draft.value ? (
          <Lazy load={loadCode} props={{}} silent />
        ) : (
          wanted.value.length === 0 && <p class="quiet">{k.loading}</p>
        )}
        {!crash.value && <Messages />}
        <Outcome />
        <details class="card">
          <summary>{k.limits.heading}</summary>
          <ul>
            {k.limits.list.map((text) => (
              <li key={text}>
                <Coded text={text} />
              </li>
            ))}
          </ul>
        </details>
      </main>
    </div>
  );
}

/** Below the editor: messages come and go while a person types and points in it. The result from before is not in this tab. */
function Messages() {
  if (streams.value.length > 0) return <Diagnostics />;
  const old = outdated.value;
  const said = old ? '' : outcome.value === s.diagnostics.kept ? k.code.failed : outcome.value;
  return (
    <DiagnosticList list={diagnostics.value} outcome={said} dismiss={dismissDiagnostics}>
      {old && <p>{k.code.outdated}</p>}
    </DiagnosticList>
  );
}
