// The values of all marks of a drawing as a table, for a drawing that comes without one.

import { live } from '../../content/live';
import { DataTable, type Column } from '../data-table';
import type { Mark, Marks } from './marks';

const columns = (): Column<Mark>[] => [
  { key: 'mark', label: live.mark, head: true, show: ({ lines }) => lines[0] },
  {
    key: 'values',
    label: live.values,
    show: ({ lines }) => lines.slice(1).map((value, i) => <div key={i}>{value}</div>),
  },
];

export function Numbers({ all, caption }: { all: Marks | null; caption: string }) {
  return (
    <div class="mark-values">
      <DataTable caption={caption} columns={columns()} rows={all?.marks ?? []} />
    </div>
  );
}
