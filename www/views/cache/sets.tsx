// Misses per set of the cache.

import { l1Rows } from '../../app/baseline';
import { pickMark } from '../../app/filter';
import { DataTable, type Column } from '../../components/data-table';
import { Figure } from '../../components/figure';
import { Folded } from '../../components/section';
import { share } from '../../content/format';
import { s } from '../../content/strings';
import { outright } from '../../content/shares';
import type { KernelReport, SetRow } from '../../engine/types';
import { countColumns } from '../../components/counts';
import { isPicked, pickColumn } from './only';

export function Sets({ kernel, index, part }: { kernel: KernelReport; index: number; part: unknown }) {
  const rows = kernel.sets;
  if (rows.length === 0) return null;
  const all = rows.reduce((sum, row) => sum + outright(row), 0);
  const worst = rows.reduce((a, b) => (outright(b) > outright(a) ? b : a));
  const columns: Column<SetRow>[] = [pickColumn('set', s.sets.set, (r) => r.set), ...countColumns(rows)];
  const label = s.sets.label(rows.length, worst.set, share(outright(worst), all));
  return (
    <Folded
      title={s.sets.heading}
      term="set"
      hint={s.sets.hint}
      name="sets"
      brief={s.sets.brief(worst.set, share(outright(worst), all))}
    >
      <Figure
        kind="sets"
        kernel={index}
        label={label}
        part={part}
        onPick={pickMark}
        table={
          <DataTable
            key={index}
            caption={s.sets.heading}
            columns={columns}
            rows={rows}
            sort={{ key: 'misses', down: true }}
            base={l1Rows(
              (k) => k.sets,
              (row) => `${row.set}`,
            )}
            rowClass={(r) => (isPicked('set', String(r.set)) ? 'chosen' : '')}
          />
        }
      />
    </Folded>
  );
}
