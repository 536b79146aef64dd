// Why loads miss in the L1: a run of its own, because it takes longer. And the way to the models of one Fermi L1.

import { chooseClasses, openInPaper } from '../../../app/actions';
import { arrayNames } from '../../../app/store';
import { type Column, DataTable, numberColumn } from '../../../components/data-table';
import { Fold } from '../../../components/fold';
import { ShareBar } from '../../../components/share-bar';
import { count } from '../../../content/format';
import { CLASSES, g, missesOf } from '../../../content/gpu';
import type { GpuArrayRow, GpuKernelReport, GpuLevels, GpuMissClasses } from '../../../engine/types';
import { arrayColumns, instructionColumns } from '../row-columns';
import { pickingArrays, pickingInstructions } from './tables';

export function GpuWhy({ kernel }: { kernel: GpuKernelReport }) {
  const { l1 } = kernel.gpu;
  return (
    <>
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
    </>
  );
}

function Classes({ kernel, classes }: { kernel: GpuKernelReport; classes: GpuMissClasses }) {
  if (missesOf(classes) === 0) return <p>{g.why.none}</p>;
  // Few GPUs have stores that drop lines.
  const parts = CLASSES.filter(({ id }) => id !== 'dropped' || classes[id] > 0);
  const names = arrayNames.value;
  const arrays = kernel.rows.arrays.filter((row) => row.l1_sectors > 0);
  const named = arrays.map((row) => ({ ...row, name: names[row.base] ?? row.name }));
  const instructions = kernel.rows.instructions.filter((row) => row.l1_sectors > 0);
  const sort = { key: 'misses', down: true };
  return (
    <>
      <p>{g.why.sentence(classes)}</p>
      <ShareBar parts={parts.map((part) => ({ ...part, value: classes[part.id] }))} label={g.why.bar} />
      <Fold title={g.why.arrays} name="class-arrays">
        <DataTable
          caption={g.why.arrays}
          columns={pickingArrays(arrayColumns(classColumns<GpuArrayRow>(parts)))}
          rows={named}
          sort={sort}
        />
      </Fold>
      <Fold title={g.why.instructions} name="class-instructions">
        <DataTable
          caption={g.why.instructions}
          columns={pickingInstructions(instructionColumns(instructions, classColumns(parts)))}
          rows={instructions}
          sort={sort}
        />
      </Fold>
    </>
  );
}

/** Columns of misses. Every row of the model has them where classes were asked for. */
function classColumns<Row extends GpuLevels>(parts: typeof CLASSES): Column<Row>[] {
  const of = (key: string, label: string, value: (classes: GpuMissClasses) => number): Column<Row> =>
    numberColumn(key, label, (r) => (r.classes ? value(r.classes) : 0), count);
  return [
    of('misses', g.why.misses, missesOf),
    ...parts.map(({ id, name }) => of(id, name[0]!.toUpperCase() + name.slice(1), (classes) => classes[id])),
    { ...of('line_there', g.why.lineThere, (classes) => classes.line_there), term: 'line_there' },
  ];
}
