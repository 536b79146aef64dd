// The Topology tab: look at GPUs, discover a hidden one, measure this machine.

import { useEffect } from 'preact/hooks';
import { source, intake } from '../../app/store';
import { Item } from '../../components/diagnostics';
import { Segments } from '../../components/segments';
import { s } from '../../content/strings';
import { t } from '../../content/topology';
import { Discover, DiscoverSetup } from './discover';
import { Look, LookSetup } from './look';
import { Machine, MachineSetup } from './machine';
import { activity, mode, MODES, notice, problems, setMode, stop, takeFiles } from './state';
import '../../styles/topology.css';

export { takeFiles };

const SETUP = { look: LookSetup, discover: DiscoverSetup, machine: MachineSetup };
const VIEW = { look: Look, discover: Discover, machine: Machine };

/** The topology of the page that was taken last, by the digest of its file. */
let taken = '';

/** A topology that was dropped in another tab is the page's, so it is here as well. Of several, the page uses the last one. */
function takePages() {
  const list = intake.value?.files ?? [];
  const all = list.filter(({ role }) => role === 'topology').map(({ id }) => id);
  const used = all.at(-1);
  if (!used || used.sha256 === taken) return;
  taken = used.sha256;
  const others = new Set(all.filter(({ name }) => name !== used.name).map(({ name }) => name));
  const files = source.value?.files.filter(({ name }) => !others.has(name)) ?? [];
  if (files.length > 0) void takeFiles(files);
}

export default function TopologyTab() {
  useEffect(takePages, []);
  const [Setup, View] = [SETUP[mode.value], VIEW[mode.value]];
  return (
    <div class="columns topology">
      <aside class="setup" aria-label={t.setup}>
        <Segments
          name="topology-mode"
          legend={t.modes.label}
          ids={MODES}
          labels={t.modes}
          value={mode.value}
          set={(m) => setMode(m)}
          class="modes"
        />
        <Setup />
      </aside>
      <main id="result" tabIndex={-1}>
        <p class="intro">{t.intro}</p>
        <Standing />
        <View />
      </main>
    </div>
  );
}

/** Beyond this a list is folded, so that the result stays in sight. */
const OPEN_UP_TO = 3;

function Messages() {
  const list = problems.value;
  const items = (
    <ul tabIndex={0}>
      {list.map((d, i) => (
        <Item key={i} d={d} />
      ))}
    </ul>
  );
  if (list.length <= OPEN_UP_TO) return items;
  return (
    <details>
      <summary>{s.diagnostics.show(list.length)}</summary>
      {items}
    </details>
  );
}

function Standing() {
  const now = activity.value;
  return (
    <>
      {now && (
        <div class="progress" data-testid="topology-progress">
          <span class="progress-text">
            {now.what} {now.total > 0 && <span class="quiet">{t.of(now.done, now.total)}</span>}
          </span>
          <progress aria-label={now.what} max={now.total || 1} value={now.total > 0 ? now.done : undefined} />
          <button type="button" onClick={stop}>
            {t.stop}
          </button>
        </div>
      )}
      <p role="status" class={notice.value ? 'status-text' : 'unseen'}>
        {notice.value}
      </p>
      {problems.value.length > 0 && (
        <section class="card diagnostics warning" role="alert" aria-label={t.messages}>
          <div class="card-head">
            <h2>{t.messages}</h2>
            <button
              type="button"
              class="quiet-button"
              aria-label={s.diagnostics.dismiss}
              onClick={() => (problems.value = [])}
            >
              ×
            </button>
          </div>
          <Messages />
        </section>
      )}
    </>
  );
}
