// What running the kernel gave: misses per line, instructions by class, arrays, output, and files of them.

import { save } from '../../app/output';
import { engine, safely, turns } from '../../app/session';
import { kernelRun, source } from '../../app/store';
import { openTab } from '../../app/tabs';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Folded, Section } from '../../components/section';
import { count, dimensions } from '../../content/format';
import { g } from '../../content/gpu';
import { k } from '../../content/kernel';
import { s } from '../../content/strings';
import { countColumns } from '../../components/counts';
import { levelColumns } from '../../components/levels';
import type { ArrayRun, KernelRun, LaunchRun } from '../../engine/scenario/cuda';
import type { LevelLine, LineRow } from './lines';
import { current, draft, levelLines, lines, showLine } from './state';

export function Outcome() {
  const run = kernelRun.value;
  if (!current.value) return null;
  return (
    <>
      {lines.value.length > 0 && <Lines rows={lines.value} />}
      {levelLines.value.length > 0 && <LevelLines rows={levelLines.value} />}
      {run && run.launches.length > 0 && <Launches run={run} />}
      {run && run.arrays.length > 0 && <Arrays arrays={run.arrays} />}
      {run && run.output !== '' && (
        <Section title={k.output}>
          <pre tabIndex={0}>{run.output}</pre>
        </Section>
      )}
    </>
  );
}

/** The line's number, which leads to it, and its text. */
function codeColumns<Row extends { line: number }>(): Column<Row>[] {
  const text = draft.value?.text.split('\n') ?? [];
  return [
    {
      key: 'line',
      label: k.lines.line,
      head: true,
      value: (r) => r.line,
      show: (r) => (
        <button
          type="button"
          class="link-button"
          aria-label={k.lines.goTo(r.line)}
          onClick={() => (showLine(null), showLine(r.line))}
        >
          {r.line}
        </button>
      ),
    },
    { key: 'code', label: k.lines.code, show: (r) => <code>{text[r.line - 1]?.trim()}</code> },
  ];
}

function WhyButton() {
  return (
    <p class="buttons">
      <button type="button" onClick={() => openTab('cache')}>
        {k.lines.why}
      </button>
    </p>
  );
}

function Lines({ rows }: { rows: LineRow[] }) {
  const columns = [...codeColumns<LineRow>(), ...countColumns(rows)];
  return (
    <Section title={k.lines.heading} hint={k.lines.hint}>
      <DataTable caption={k.lines.heading} columns={columns} rows={rows} sort={{ key: 'misses', down: true }} />
      <WhyButton />
    </Section>
  );
}

function LevelLines({ rows }: { rows: LevelLine[] }) {
  // Without the share, which stands beside the line, so that no number is cut at 1280 pixels.
  const levels = levelColumns(rows).filter(({ key }) => key !== 'share');
  const columns = [...codeColumns<LevelLine>(), ...levels];
  return (
    <Section title={g.rows.lines} hint={g.rows.hint}>
      <DataTable caption={g.rows.lines} columns={columns} rows={rows} sort={{ key: 'moved', down: true }} />
      <WhyButton />
    </Section>
  );
}

const total = (list: number[]) => list.reduce((a, b) => a + b, 0);
const number = (key: keyof typeof k.launches.columns, value: (l: LaunchRun) => number): Column<LaunchRun> => ({
  key,
  label: k.launches.columns[key],
  numeric: true,
  value,
  show: (l) => count(value(l)),
});

function Launches({ run }: { run: KernelRun }) {
  const columns: Column<LaunchRun>[] = [
    { key: 'kernel', label: k.launches.kernel, head: true, value: (l) => l.kernel },
    { key: 'grid', label: k.launches.grid, show: (l) => dimensions(l.grid) },
    { key: 'block', label: k.launches.block, show: (l) => dimensions(l.block) },
    number('instructions', (l) => l.instructions),
    number('integer', (l) => l.counts.integer),
    number('fp32', (l) => l.counts.fp32),
    number('fp64', (l) => l.counts.fp64),
    number('special', (l) => l.counts.special),
    number('global', (l) => space(l, 0)),
    number('shared', (l) => space(l, 1)),
    number('local', (l) => space(l, 2)),
    number('constant', (l) => space(l, 3)),
    number('texture', (l) => space(l, 4)),
    number('branch', (l) => l.counts.branch),
    number('barrier', (l) => l.counts.barrier),
    number('other', (l) => l.counts.other),
  ];
  // Classes that no launch has only take room.
  const shown = columns.filter(
    ({ value, numeric }) => !numeric || total(run.launches.map((l) => Number(value!(l, run.launches)))) > 0,
  );
  return (
    <Folded title={k.launches.heading} hint={k.launches.hint} name="launches" brief={s.part.rows(run.launches.length)}>
      <DataTable caption={k.launches.heading} columns={shown} rows={run.launches} />
      <p class="buttons">
        {run.launches.flatMap((launch, i) =>
          (['traceg', 'trc'] as const).map((format) => (
            <button
              key={`${i}${format}`}
              type="button"
              onClick={() => void saveTrace(launch.kernel, i, run.launches.length, format)}
            >
              {k.launches.save(run.launches.length > 1 ? `${i + 1}` : '', format)}
            </button>
          )),
        )}
      </p>
    </Folded>
  );
}

const space = ({ counts }: LaunchRun, i: number) => counts.loads[i]! + counts.stores[i]! + counts.atomics[i]!;

/** A file of the source on show, which the engine may have to read again: not while it reads another one. */
const whenIdle = (job: () => Promise<void>) => safely(() => turns.takeWhenIdle(job));

const saveTrace = (kernel: string, launch: number, of: number, format: 'trc' | 'traceg') =>
  whenIdle(async () => {
    const name = of > 1 ? `${kernel}-${launch + 1}.${format}` : `${kernel}.${format}`;
    const bytes = source.value && (await engine.trace(source.value, launch, format));
    if (bytes) save(name, 'text/plain', bytes);
  });

const saveArray = (name: string) =>
  whenIdle(async () => {
    const csv = source.value && (await engine.arrayCsv(source.value, name));
    if (csv !== null) save(`${name}.csv`, 'text/csv', csv);
  });

function Arrays({ arrays }: { arrays: ArrayRun[] }) {
  const columns: Column<ArrayRun>[] = [
    { key: 'name', label: k.arrays.name, head: true, value: (a) => a.name },
    { key: 'element', label: k.arrays.element, value: (a) => a.element, show: (a) => <code>{a.element}</code> },
    numberColumn('elements', k.arrays.elements, (a) => a.elements, count),
    {
      key: 'changed',
      label: k.arrays.changed,
      value: (a) => (a.changed ? 1 : 0),
      show: (a) => (a.changed ? k.arrays.yes : k.arrays.no),
    },
    {
      key: 'save',
      label: k.arrays.file,
      show: (a) => (
        <button
          type="button"
          class="link-button"
          aria-label={k.arrays.saveOf(a.name)}
          onClick={() => void saveArray(a.name)}
        >
          {k.arrays.save}
        </button>
      ),
    },
  ];
  return (
    <Folded title={k.arrays.heading} hint={k.arrays.hint} name="kernel-arrays" brief={s.part.rows(arrays.length)}>
      <DataTable caption={k.arrays.heading} columns={columns} rows={arrays} />
    </Folded>
  );
}
