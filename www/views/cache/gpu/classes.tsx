// Why loads miss in the L1: a run of its own, because it takes longer. And the way to the models of one Fermi L1.

import { chooseClasses, openInPaper } from '../../../app/actions';
import { arrayNames } from '../../../app/store';
import { DataTable, type Column } from '../../../components/data-table';
import { Fold } from '../../../components/fold';
import { Section } from '../../../components/section';
import { SourceLine } from '../../../components/source-line';
import { Term } from '../../../components/term';
import { count, percent, share } from '../../../content/format';
import { CLASSES, g, missesOf } from '../../../content/gpu';
import { s } from '../../../content/strings';
import type { GpuKernelReport, GpuLevels, GpuMissClasses } from '../../../engine/types';

export function GpuWhy({ kernel }: { kernel: GpuKernelReport }) {
  const { l1 } = kernel.gpu;
  return (
    <Section title={g.why.heading} class="why">
      {l1.classes ? (
        <Classes kernel={kernel} classes={l1.classes} />
      ) : (
        <>
          <p>{l1.sectors > l1.hits ? g.why.ask : g.why.none}</p>
          {l1.sectors > l1.hits && (
            <p class="buttons">
              <button type="button" onClick={() => void chooseClasses(true)}>
                {g.why.run}
              </button>
            </p>
          )}
        </>
      )}
      <p>{g.why.text}</p>
      <p class="buttons">
        <button type="button" onClick={() => void openInPaper()}>
          {g.why.open}
        </button>
        {l1.classes && (
          <button type="button" onClick={() => void chooseClasses(false)}>
            {g.why.without}
          </button>
        )}
      </p>
    </Section>
  );
}

function Classes({ kernel, classes }: { kernel: GpuKernelReport; classes: GpuMissClasses }) {
  const all = missesOf(classes);
  if (all === 0) return <p>{g.why.none}</p>;
  const { arrays, instructions } = kernel.rows;
  return (
    <>
      <p>{g.why.sentence(classes)}</p>
      <ClassBar classes={classes} />
      <Fold title={g.why.arrays} name="class-arrays">
        <ArrayClasses rows={arrays.filter((row) => row.l1_sectors > 0)} />
      </Fold>
      <Fold title={g.why.instructions} name="class-instructions">
        <InstructionClasses rows={instructions.filter((row) => row.l1_sectors > 0)} />
      </Fold>
    </>
  );
}

function ClassBar({ classes }: { classes: GpuMissClasses }) {
  const all = missesOf(classes);
  const parts = CLASSES.map(({ id, name }) => `${name} ${percent(share(classes[id], all))}`).join(', ');
  return (
    <div class="class-bar">
      <div role="img" aria-label={g.why.bar(parts)}>
        <span class="bar" aria-hidden="true">
          {CLASSES.filter(({ id }) => classes[id] > 0).map(({ id, colour }) => (
            <span key={id} class={`bar-part ${colour}`} style={{ width: `${100 * share(classes[id], all)}%` }} />
          ))}
        </span>
      </div>
      <ul class="legend">
        {CLASSES.map(({ id, colour, term, name }) => (
          <li key={id} class={classes[id] === 0 ? 'zero' : undefined}>
            <span class={`swatch ${colour}`} aria-hidden="true" />
            <Term id={term}>{name}</Term>
            <span class="legend-number">
              <strong>{percent(share(classes[id], all))}</strong> <span class="quiet">{count(classes[id])}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Columns of misses, which every row of the model has where classes were asked for. */
function classColumns<Row extends GpuLevels>(): Column<Row>[] {
  const of = (key: string, label: string, value: (classes: GpuMissClasses) => number): Column<Row> => ({
    key,
    label,
    numeric: true,
    value: (r) => (r.classes ? value(r.classes) : 0),
    show: (r) => (r.classes ? count(value(r.classes)) : '–'),
  });
  return [
    of('misses', g.why.misses, missesOf),
    ...CLASSES.map(({ id, name }) => of(id, name[0]!.toUpperCase() + name.slice(1), (classes) => classes[id])),
    { ...of('line_there', g.why.lineThere, (classes) => classes.line_there), term: 'line_there' },
  ];
}

type ArrayRows = GpuKernelReport['rows']['arrays'];
type InstructionRows = GpuKernelReport['rows']['instructions'];

function ArrayClasses({ rows }: { rows: ArrayRows }) {
  const names = arrayNames.value;
  const columns: Column<ArrayRows[number]>[] = [
    { key: 'name', label: s.arrays.name, head: true, value: (r) => names[r.base] ?? r.name },
    ...classColumns<ArrayRows[number]>(),
  ];
  return <DataTable caption={g.why.arrays} columns={columns} rows={rows} sort={{ key: 'misses', down: true }} />;
}

function InstructionClasses({ rows }: { rows: InstructionRows }) {
  const columns: Column<InstructionRows[number]>[] = [
    {
      key: 'opcode',
      label: s.instructions.opcode,
      head: true,
      value: (r) => r.opcode,
      show: (r) => r.opcode || r.kind,
    },
    ...classColumns<InstructionRows[number]>(),
  ];
  if (rows.some((r) => r.pc !== '')) {
    columns.splice(1, 0, { key: 'pc', label: s.instructions.pc, value: (r) => r.pc, show: (r) => <code>{r.pc}</code> });
  }
  if (rows.some((r) => r.line !== null)) {
    columns.splice(1, 0, {
      key: 'line',
      label: s.instructions.line,
      numeric: true,
      value: (r) => r.line ?? 0,
      show: (r) => <SourceLine line={r.line} />,
    });
  }
  return <DataTable caption={g.why.instructions} columns={columns} rows={rows} sort={{ key: 'misses', down: true }} />;
}
