// Requests and misses per array.

import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/section';
import { bytes } from '../../content/format';
import { s } from '../../content/strings';
import type { ArrayRow, KernelReport } from '../../engine/types';
import { countColumns } from '../../components/counts';

export function Arrays({ kernel }: { kernel: KernelReport }) {
  const columns: Column<ArrayRow>[] = [
    {
      key: 'name',
      label: s.arrays.name,
      head: true,
      value: (r) => r.name,
      show: (r) => (
        <>
          {r.name}{' '}
          {r.guessed && (
            <span class="badge" title={s.arrays.guessedHelp}>
              {s.arrays.guessed}
            </span>
          )}
        </>
      ),
    },
    ...countColumns(kernel.arrays),
    { key: 'base', label: s.arrays.base, value: (r) => r.base, show: (r) => <code>{r.base}</code> },
    { key: 'bytes', label: s.arrays.size, numeric: true, value: (r) => r.bytes, show: (r) => bytes(r.bytes) },
  ];
  return (
    <Section title={s.arrays.heading}>
      <DataTable
        caption={s.arrays.heading}
        columns={columns}
        rows={kernel.arrays}
        sort={{ key: 'misses', down: true }}
      />
    </Section>
  );
}
