// A profiler's counters beside the model's.

import { say } from '../../../content/messages';
import { DataTable, type Column } from '../../../components/data-table';
import { Section } from '../../../components/section';
import { counted, errorOf, m } from '../../../content/measured';
import { shortName } from '../../../content/format';
import type { CheckedCounter, ProfileComparison, ProfileInfo } from '../../../engine/types';

const COLUMNS: Column<CheckedCounter>[] = [
  { key: 'counter', label: m.counter, head: true, value: (r) => r.counter },
  { key: 'measured', label: m.measured, numeric: true, value: (r) => r.measured, show: (r) => counted(r.measured) },
  { key: 'modelled', label: m.modelled, numeric: true, value: (r) => r.modelled, show: (r) => counted(r.modelled) },
  { key: 'error', label: m.error, numeric: true, value: (r) => Math.abs(r.error ?? Infinity), show: errorOf },
];

interface Props {
  comparison: ProfileComparison;
  /** The profile of the files, and whether the model ran from its state. */
  profile: ProfileInfo | null;
  fromItsState: boolean;
  /** The number of the kernel on show. */
  number: number;
}

export function GpuMeasured({ comparison, profile, fromItsState, number }: Props) {
  const { tool, kernels, notes } = comparison;
  const kernel = kernels.find((k) => k.number === number);
  return (
    <Section title={m.heading} class="measured">
      {kernel ? (
        <>
          <p>{m.lead(comparison, shortName(kernel.measured_kernel))}</p>
          <DataTable key={number} caption={m.heading} columns={COLUMNS} rows={kernel.counters} firstPage={20} />
        </>
      ) : (
        <p>{kernels.length > 0 ? m.other(tool) : m.none(tool)}</p>
      )}
      {profile && fromItsState && <p>{m.set(profile)}</p>}
      <h3>{m.differs}</h3>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>
            <Note text={say(note)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const ACCURACY = 'docs/accuracy.md';

/** A note that names the page about accuracy leads there. */
function Note({ text }: { text: string }) {
  const at = text.indexOf(ACCURACY);
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <a href="docs/accuracy.html" target="_blank" rel="noopener noreferrer">
        {ACCURACY}
      </a>
      {text.slice(at + ACCURACY.length)}
    </>
  );
}
