// The files: format and how it was recognised, what they are used as, what was skipped and why.

import { DataTable, type Column } from '../../components/data-table';
import { bytes, count } from '../../content/format';
import { s } from '../../content/strings';
import type { FileInfo } from '../../engine/types';

const columns: Column<FileInfo>[] = [
  { key: 'file', label: s.contents.file, head: true, value: (f) => f.id.name },
  { key: 'format', label: s.contents.format, value: (f) => f.format },
  { key: 'by', label: s.contents.recognised, value: (f) => s.contents.by[f.recognised_by] ?? f.recognised_by },
  { key: 'role', label: s.contents.role, value: (f) => s.contents.roles[f.role] ?? f.role },
  { key: 'size', label: s.contents.size, numeric: true, value: (f) => f.id.size, show: (f) => bytes(f.id.size) },
  { key: 'kernels', label: s.contents.kernelCount, numeric: true, value: (f) => f.kernels, show: (f) => count(f.kernels) },
  { key: 'skipped', label: s.contents.skipped, value: (f) => f.skipped.length, show: (f) => <SkippedCell file={f} /> },
];

export function Files({ files }: { files: FileInfo[] }) {
  return (
    <section>
      <h3>{s.contents.files}</h3>
      <DataTable caption={s.contents.files} columns={columns} rows={files} />
    </section>
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
