// One placement in detail: why it is faster or slower, what it does to the memory banks, and what to write.

import { useState } from 'preact/hooks';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Folded, Section } from '../../components/section';
import { count, percent1, share } from '../../content/format';
import { p } from '../../content/placement';
import { s } from '../../content/strings';
import type { BankRow, PlaceLine, PlaceLook, PlacePrepared } from '../../engine/placement/types';
import { same } from './settings';
import { best, engine, generation, ranking, settings } from './state';
import { TextToCopy } from './text-to-copy';

type Count = PlaceLook['counts'][number];

export function Look({ prepared, look }: { prepared: PlacePrepared; look: PlaceLook }) {
  const { sample } = prepared;
  const isNow = (line: PlaceLine) => same(line.placement, sample.placement);
  const now = isNow(look.line);
  return (
    <Section title={p.look.heading(best.value !== null && same(look.line.placement, best.value), now)} class="look">
      <p class="sentence" data-testid="look">
        {p.look.versus(look.line, ranking.value?.lines.find(isNow) ?? sample)}
      </p>
      <p class="quiet">
        {prepared.arrays.map((a, i) => `${a.name}: ${p.memory(look.line.placement[i] ?? 'global')}`).join(' · ')}
      </p>
      {look.illegal && (
        <p class="mismatch" role="alert">
          {p.look.illegal(look.illegal)}
        </p>
      )}
      <h3>{p.look.reasons}</h3>
      {look.reasons.length === 0 ? (
        <p>{p.look.same}</p>
      ) : (
        <ul class="reasons" data-testid="reasons">
          {look.reasons.map((text) => (
            <li key={text}>{p.look.reason(text)}.</li>
          ))}
        </ul>
      )}
      {look.outside.length > 0 && <p class="banner">{p.sure.outside(look.outside.join(', '))}</p>}
      {look.counts.length === 0 && <p>{p.look.contradicted}</p>}
    </Section>
  );
}

/** The counts behind the reasons, what happens at the memory banks, and the text to start from. */
export function LookDetails({ prepared, look }: { prepared: PlacePrepared; look: PlaceLook }) {
  const { machine_counts: machine, counts } = look;
  return (
    <>
      {machine.length > 0 && (
        <Counts
          name="machine-counts"
          title={p.look.machineCounts}
          hint={p.look.machineHint}
          counts={machine}
          first={1}
          more={p.look.all}
        />
      )}
      {counts.length > 0 && (
        <>
          <Counts
            name="equation-counts"
            title={p.look.counts}
            hint={machine.length > 0 ? p.look.twoModels : undefined}
            counts={counts}
            first={4}
            more={machine.length > 0 ? p.look.allOfEquations : p.look.all}
            machine={machine}
          />
          <Banks look={look} />
        </>
      )}
      <Snippet look={look} kernel={prepared.kernel} />
    </>
  );
}

interface CountsProps {
  name: string;
  title: string;
  hint?: string;
  counts: Count[];
  first: number;
  more: string;
  /** The counts of the whole GPU, to stand beside those of the equations. */
  machine?: Count[];
}

/** Counts of the whole GPU, by the count of the equations that means the same. */
const SAME: Record<string, string[]> = {
  cycles: ['machine_cycles'],
  l2_sectors: ['l2_reads', 'l2_writes'],
  memory_sectors: ['dram_reads', 'dram_writes'],
};

/** What the whole GPU counted now where the equations say `key`; null where it has no such count. */
function onMachine(key: string, machine: Count[]): number | null {
  const found = (SAME[key] ?? []).map((name) => machine.find((row) => row.key === name)?.before);
  const known = found.filter((value) => value !== undefined);
  return known.length === 0 || known.length < found.length ? null : known.reduce((a, b) => a + b, 0);
}

/** A table of counts. The `first` ones are always shown, and the others where they differ. */
function Counts({ name, title, hint, counts, first, more, machine = [] }: CountsProps) {
  const [all, setAll] = useState(false);
  const differs = (row: Count) => Math.abs(row.after - row.before) > 1e-9 * Math.max(1, Math.abs(row.before));
  const rows = counts.filter((row, i) => i < first || (all ? row.before !== 0 || row.after !== 0 : differs(row)));
  const columns: Column<Count>[] = [
    { key: 'count', label: p.look.count, head: true, value: (r) => p.look.counted(r.key) },
    numberColumn('before', p.look.before, (r) => r.before, p.look.number),
    numberColumn('after', p.look.after, (r) => r.after, p.look.number),
    numberColumn('difference', p.look.difference, (r) => r.after - r.before, p.look.signed),
  ];
  if (machine.length > 0)
    columns.push({
      key: 'machine',
      label: p.look.onMachine,
      numeric: true,
      value: (r) => onMachine(r.key, machine) ?? -1,
      show: (r) => {
        const value = onMachine(r.key, machine);
        return value === null ? '' : p.look.number(value);
      },
    });
  return (
    <Folded title={title} term="replay" hint={hint} name={name} brief={s.part.rows(rows.length)} class="look">
      <DataTable key={String(all)} caption={title} columns={columns} rows={rows} firstPage={30} />
      <label class="check">
        <input type="checkbox" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} />
        {more}
      </label>
    </Folded>
  );
}

function Banks({ look }: { look: PlaceLook }) {
  const { banks } = look;
  const requests = banks.reduce((sum, bank) => sum + bank.requests, 0);
  const hits = banks.reduce((sum, bank) => sum + bank.rows[0], 0);
  const wait = share(
    banks.reduce((sum, bank) => sum + bank.wait_ns * bank.requests, 0),
    requests,
  );
  const columns: Column<BankRow>[] = [
    { key: 'bank', label: p.look.bank, head: true, value: (r) => r.bank },
    numberColumn('requests', p.look.requests, (r) => r.requests, count),
    ...(['hits', 'misses', 'conflicts'] as const).map((key, i): Column<BankRow> => ({
      key,
      label: p.look[key],
      numeric: true,
      value: (r) => r.rows[i]!,
      show: (r) => count(r.rows[i]!),
    })),
    {
      key: 'busy',
      label: p.look.utilisation,
      numeric: true,
      value: (r) => r.utilisation,
      show: (r) => (
        <>
          {percent1(r.utilisation)} {r.saturated && <span class="badge warning">{p.look.saturated}</span>}
        </>
      ),
    },
    { key: 'wait', label: p.look.wait, numeric: true, value: (r) => r.wait_ns, show: (r) => r.wait_ns.toFixed(1) },
  ];
  const gone = generation.value !== engine.generation;
  return (
    <Folded title={p.look.banks} term="row_buffer" name="banks" class="look">
      {banks.length === 0 || requests === 0 ? (
        <p>{settings.value.without.includes('queue') ? p.look.banksOff : p.look.banksNone}</p>
      ) : (
        <>
          <p class="hint">{p.look.banksHint}</p>
          <ul class="legend plain-legend">
            {(['hits', 'misses', 'conflicts', 'wait'] as const).map((part) => (
              <li key={part}>
                <span class={`swatch row-${part}`} aria-hidden="true" />
                {p.look.banksLegend[part]}
              </li>
            ))}
          </ul>
          <Drawing
            draw={gone ? null : (look) => engine.ask((r) => r.figure('banks', [], look))}
            of={[look]}
            name="banks"
            label={p.look.banksLabel(requests, banks.length, share(hits, requests), wait)}
            table={<DataTable key={banks.length} caption={p.look.banks} columns={columns} rows={banks} />}
          />
        </>
      )}
    </Folded>
  );
}

function Snippet({ look, kernel }: { look: PlaceLook; kernel: string }) {
  const { snippet: text, rewritten, rewrite_notes: notes } = look;
  return (
    <Folded
      title={p.look.snippet}
      hint={rewritten ? p.look.rewrittenHint(look.line.machine_microseconds !== null) : p.look.snippetHint}
      name="snippet"
      class="look"
    >
      <TextToCopy text={text} notes={notes} name={kernel} id="snippet" />
    </Folded>
  );
}
