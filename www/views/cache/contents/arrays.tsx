// The arrays of all kernels: named by the files or guessed, and renameable on this page.

import { renameArray } from '../../../app/actions';
import { arrayNames } from '../../../app/store';
import { DataTable, type Column, numberColumn } from '../../../components/data-table';
import { KeptInput } from '../../../components/kept-input';
import { bytes } from '../../../content/format';
import { s } from '../../../content/strings';
import type { ArrayInfo, KernelInfo } from '../../../engine/types';

/** Each base address once, with its longest extent. */
function distinct(kernels: KernelInfo[]): ArrayInfo[] {
  const found = new Map<string, ArrayInfo>();
  for (const array of kernels.flatMap((k) => k.arrays)) {
    const known = found.get(array.base);
    if (!known || known.bytes < array.bytes) found.set(array.base, array);
  }
  return [...found.values()];
}

const columns: Column<ArrayInfo>[] = [
  {
    key: 'name',
    label: s.contents.array,
    head: true,
    value: (a) => a.name,
    show: (a) => (
      <>
        <KeptInput
          type="text"
          class="array-name"
          value={arrayNames.value[a.base] ?? a.name}
          aria-label={s.contents.rename(a.name)}
          autocomplete="off"
          spellcheck={false}
          onChange={(e) => {
            const typed = e.currentTarget.value.trim();
            renameArray(a.base, typed === a.name ? '' : typed);
            if (typed === '') e.currentTarget.value = a.name;
          }}
        />{' '}
        <span class="badge" title={a.guessed ? s.arrays.guessedHelp : s.contents.namedHelp}>
          {a.guessed ? s.arrays.guessed : s.contents.named}
        </span>
      </>
    ),
  },
  { key: 'base', label: s.contents.base, value: (a) => a.base, show: (a) => <code>{a.base}</code> },
  numberColumn('bytes', s.contents.arraySize, (a) => a.bytes, bytes),
];

export function ArrayNames({ kernels }: { kernels: KernelInfo[] }) {
  const rows = distinct(kernels);
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{s.contents.arrays}</h3>
      <p class="hint">{s.contents.renameHint}</p>
      <DataTable caption={s.contents.arrays} columns={columns} rows={rows} />
    </section>
  );
}
