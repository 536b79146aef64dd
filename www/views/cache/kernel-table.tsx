// The kernels of a run as a table, one of which is shown below it.

import type { ComponentChildren } from 'preact';
import type { BaseRows } from '../../app/baseline';
import { kernel } from '../../app/store';
import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/section';
import { dimensions, shortName } from '../../content/format';
import { s } from '../../content/strings';

interface Named {
  number: number;
  name: string;
  grid: number[];
  block: number[];
}

type Row<Kernel> = Kernel & { index: number };

interface Props<Kernel> {
  kernels: Kernel[];
  /** The one on show. */
  chosen: number;
  /** What the model says of each. */
  columns: Column<Kernel>[];
  /** The column to sort by, the largest first. */
  by: string;
  base: BaseRows<Kernel> | null;
  /** What all of them together do. */
  children: ComponentChildren;
}

export function KernelTable<Kernel extends Named>({ kernels, chosen, columns, by, base, children }: Props<Kernel>) {
  const all: Column<Row<Kernel>>[] = [
    { key: 'number', label: '#', value: (r) => r.number },
    {
      key: 'name',
      label: s.kernels.kernel,
      head: true,
      value: (r) => r.name,
      show: (r) => (
        <button
          type="button"
          class="link-button"
          title={r.name}
          aria-pressed={r.index === chosen}
          onClick={() => (kernel.value = r.index)}
        >
          {shortName(r.name)}
        </button>
      ),
    },
    ...columns,
    { key: 'grid', label: s.kernels.grid, show: (r) => dimensions(r.grid) },
    { key: 'block', label: s.kernels.block, show: (r) => dimensions(r.block) },
  ];
  return (
    <Section title={s.kernels.heading} hint={s.kernels.hint} class="kernels">
      <DataTable
        caption={s.kernels.heading}
        columns={all}
        rows={kernels.map((k, index) => ({ ...k, index }))}
        sort={{ key: by, down: true }}
        base={base && { rows: base.rows.map((k) => ({ ...k, index: -1 })), key: base.key }}
        rowClass={(r) => (r.index === chosen ? 'chosen' : '')}
      />
      <p class="together">{children}</p>
    </Section>
  );
}
