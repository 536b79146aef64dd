// The files: format and how it was recognised, what they are used as, what was skipped and why.

import { chosenFormat } from '../../../app/reading';
import { readAs } from '../../../app/sources';
import { DataTable, type Column, numberColumn } from '../../../components/data-table';
import { bytes, count } from '../../../content/format';
import { s } from '../../../content/strings';
import type { Source } from '../../../engine/protocol';
import type { FileInfo } from '../../../engine/types';

const FORMATS = Object.keys(s.contents.formats);

/** What a file is used as. Of several GPUs the last one is taken. */
function roleOf(file: FileInfo, files: FileInfo[]): string {
  const last = files.filter(({ role }) => role === 'topology').at(-1);
  if (file.role === 'topology' && file !== last) return s.contents.otherGpu;
  return s.contents.roles[file.role] ?? file.role;
}

const columns = (files: FileInfo[], source: Source): Column<FileInfo>[] => [
  { key: 'file', label: s.contents.file, head: true, value: (f) => f.id.name },
  { key: 'format', label: s.contents.format, value: (f) => f.format },
  { key: 'by', label: s.contents.recognised, value: (f) => s.contents.by[f.recognised_by] ?? f.recognised_by },
  { key: 'role', label: s.contents.role, value: (f) => roleOf(f, files) },
  numberColumn('size', s.contents.size, (f) => f.id.size, bytes),
  numberColumn('kernels', s.contents.kernelCount, (f) => f.kernels, count),
  { key: 'skipped', label: s.contents.skipped, value: (f) => f.skipped.length, show: (f) => <SkippedCell file={f} /> },
  {
    key: 'as',
    label: s.contents.readAs,
    show: (f) => <ReadAs file={f} chosen={chosenFormat(source, files.indexOf(f))} number={files.indexOf(f)} />,
  },
];

export function Files({ files, source }: { files: FileInfo[]; source: Source }) {
  return (
    <section>
      <h3>{s.contents.files}</h3>
      <DataTable caption={s.contents.files} columns={columns(files, source)} rows={files} />
    </section>
  );
}

/** A person may always know better. */
function ReadAs({ file, number, chosen }: { file: FileInfo; number: number; chosen: string | null }) {
  const options = (keys: string[]) =>
    keys.map((key) => (
      <option key={key} value={key}>
        {s.contents.formats[key] ?? key}
      </option>
    ));
  return (
    <select
      value={chosen ?? ''}
      aria-label={s.contents.readAsOf(file.id.name)}
      onChange={(e) => void readAs(number, e.currentTarget.value === '' ? null : e.currentTarget.value)}
    >
      <option value="">{s.contents.asItLooks}</option>
      {file.candidates.length > 1 && <optgroup label={s.contents.fits}>{options(file.candidates)}</optgroup>}
      <optgroup label={s.contents.others}>
        {options(FORMATS.filter((key) => file.candidates.length < 2 || !file.candidates.includes(key)))}
      </optgroup>
    </select>
  );
}

function SkippedCell({ file }: { file: FileInfo }) {
  if (file.skipped.length === 0) return <>{s.contents.nothing}</>;
  return (
    <details>
      <summary>{s.contents.skippedCount(file.skipped.length)}</summary>
      <ul class="skipped">
        {file.skipped.map((item, i) => (
          <li key={i}>{s.contents.skippedItem(item.what, item.line, item.why)}</li>
        ))}
      </ul>
    </details>
  );
}
