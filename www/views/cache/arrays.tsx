// Requests and misses per array.

import { arrayKey, l1Rows } from '../../app/baseline';
import { countColumns } from '../../components/counts';
import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/section';
import { s } from '../../content/strings';
import type { ArrayRow, KernelReport } from '../../engine/types';
import { isPicked, Pick } from './only';
import { arrayColumns } from './row-columns';

const BASE: Column<ArrayRow> = {
  key: 'base',
  label: s.arrays.base,
  value: (r) => r.base,
  show: (r) => <code>{r.base}</code>,
};

export function Arrays({ kernel: { arrays } }: { kernel: KernelReport }) {
  const [name, ...others] = arrayColumns(countColumns(arrays), [BASE]);
  const show = (r: ArrayRow, all: ArrayRow[]) => (
    <Pick part="array" value={r.base}>
      {name?.show?.(r, all)}
    </Pick>
  );
  return (
    <Section title={s.arrays.heading}>
      <DataTable
        caption={s.arrays.heading}
        columns={[...(name ? [{ ...name, show }] : []), ...others]}
        rowClass={(r) => (isPicked('array', r.base) ? 'chosen' : '')}
        rows={arrays}
        sort={{ key: 'misses', down: true }}
        base={l1Rows((k) => k.arrays, arrayKey)}
      />
    </Section>
  );
}
