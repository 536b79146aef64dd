// Kernels and arrays of a GPU trace, each with its own histogram and curve one click away.

import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Folded } from '../../components/section';
import { count, percent1, share } from '../../content/format';
import { r } from '../../content/reuse';
import { s } from '../../content/strings';
import type { Series } from '../../engine/reuse/protocol';
import { medianUpTo } from './explain';
import type { Shown } from './state';

interface Props {
  shown: Shown;
  chosen: string;
  choose: (key: string) => void;
}

export function Parts({ shown, chosen, choose }: Props) {
  const { all, kernels, arrays } = shown.analysed.result;
  if (kernels.length === 0 && arrays.length === 0) return null;
  const columns = (what: string): Column<Series>[] => [
    {
      key: 'name',
      label: what,
      head: true,
      value: nameOf,
      show: (row) => (
        <button type="button" class="link-button" aria-pressed={row.key === chosen} onClick={() => choose(row.key)}>
          {nameOf(row)}
        </button>
      ),
    },
    numberColumn('accesses', r.parts.accesses, (row) => row.accesses, count),
    {
      key: 'share',
      label: r.parts.share,
      numeric: true,
      value: (row) => row.accesses,
      show: (row) => percent1(share(row.accesses, all.accesses)),
    },
    numberColumn('firsts', r.parts.firsts, (row) => share(row.firsts, row.accesses), percent1),
    {
      key: 'half',
      label: r.parts.half,
      numeric: true,
      value: (row) => medianUpTo(row) ?? Infinity,
      show: (row) => median(row),
    },
  ];
  const table = (what: string, caption: string, rows: Series[]) =>
    rows.length > 0 && (
      <DataTable
        caption={caption}
        columns={columns(what)}
        rows={[all, ...rows]}
        rowClass={(row) => (row.key === chosen ? 'chosen' : '')}
      />
    );
  return (
    <Folded
      title={r.parts.heading}
      hint={r.parts.hint}
      name="reuse-parts"
      brief={s.part.rows(arrays.length + kernels.length)}
    >
      {table(r.parts.array, r.parts.arrays, arrays)}
      {kernels.length > 1 && <div class="reuse-second">{table(r.parts.kernel, r.parts.kernels, kernels)}</div>}
    </Folded>
  );
}

function median(row: Series): string {
  const half = medianUpTo(row);
  return half === null ? '–' : `≤ ${count(half)}`;
}

export function nameOf(series: Series): string {
  if (series.key === 'all' || series.key === 'sample') return r.parts.all;
  return series.name || (series.key.startsWith('array') ? r.parts.nowhere : series.key);
}
