// How much the cores differ.

import { l1Rows } from '../../app/baseline';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Folded } from '../../components/section';
import { count, share } from '../../content/format';
import { s } from '../../content/strings';
import { outright } from '../../content/shares';
import type { CoreRow, KernelReport } from '../../engine/types';
import { countColumns } from '../../components/counts';
import { isPicked, pickColumn } from './only';

export function Cores({ kernel }: { kernel: KernelReport }) {
  const rows = kernel.cores.filter((row) => row.requests > 0);
  if (rows.length === 0) return null;
  const rates = rows.map((row) => share(outright(row), row.requests));
  const [low, high] = rates.reduce(([a, b], rate) => [Math.min(a, rate), Math.max(b, rate)], [1, 0]);
  const columns: Column<CoreRow>[] = [
    pickColumn('core', s.cores.core, (r) => r.core),
    ...countColumns(rows),
    numberColumn('ticks', s.cores.ticks, (r) => r.ticks, count, 'tick'),
  ];
  return (
    <Folded title={s.cores.heading} hint={s.cores.spread(low, high, rows.length)} name="cores">
      {rows.length > 1 && (
        <DataTable
          caption={s.cores.heading}
          columns={columns}
          rows={rows}
          sort={{ key: 'core', down: false }}
          rowClass={(row) => (isPicked('core', `${row.core}`) ? 'chosen' : '')}
          base={l1Rows(
            (k) => k.cores,
            (row) => `${row.core}`,
          )}
        />
      )}
    </Folded>
  );
}
