// A memory whose address mapping is hidden: the visitor measures latencies, says what each bit is for, and is scored beside
// Algorithm 1 and the pair probe.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce } from '../../app/store';
import { setView } from '../../app/tabs';
import { DataTable, type Column } from '../../components/data-table';
import { SeedRow } from '../../components/seed-row';
import { Drawing } from '../../components/drawing';
import { Section } from '../../components/section';
import { p } from '../../content/placement';
import type { BitKind, DramAnswer, DramReveal, DramScore, FlipTimes, MappingBits } from '../../engine/placement/types';
import { guarded } from './actions';
import { readGroups } from './groups';
import { engine, settings } from './state';

const KINDS: BitKind[] = ['column', 'bank', 'row'];
const bits = signal<number[]>([]);
const times = signal<FlipTimes | null>(null);
/** With the visitor's answer, or without one: the page found out. */
const revealed = signal<{ report: DramReveal; answer: DramAnswer | null } | null>(null);
const kinds = signal<Partial<Record<number, BitKind>>>({});
const groups = signal('');
/** What the engine has hidden; another worker has nothing. */
let hiddenNow = '';

const key = () => JSON.stringify([settings.value.seed, settings.value.hashed]);

/** Hides the memory that the link names, unless the engine still has it. */
async function hide() {
  const wanted = `${key()} ${engine.generation}`;
  if (hiddenNow === wanted) return;
  const { seed, hashed } = settings.value;
  const other = !hiddenNow.startsWith(`${key()} `);
  bits.value = await engine.ask((r) => r.hideMemory(seed, hashed));
  hiddenNow = `${key()} ${engine.generation}`;
  if (!other) return;
  [times.value, revealed.value, kinds.value, groups.value] = [null, null, {}, ''];
}

const measure = (together: number | null) =>
  guarded(async () => {
    await hide();
    times.value = await engine.ask((r) => r.flip(together));
  });

const reveal = (answer: DramAnswer | null) =>
  guarded(async () => {
    await hide();
    const report = await engine.ask((r) => r.reveal(answer ?? { kinds: [], together: [] }));
    revealed.value = { report, answer };
    announce(answer ? p.dram.said(report.yours) : p.dram.found(...report.probes));
  });

export function MemorySetup() {
  const { seed, hashed } = settings.value;
  return (
    <section class="panel" aria-labelledby="memory-title">
      <h2 id="memory-title">{p.dram.heading}</h2>
      <SeedRow id="memory-seed" label={p.dram.seed} another={p.dram.another} seed={seed} view="placement.seed" />
      <label class="check">
        <input
          type="checkbox"
          checked={hashed}
          onChange={(e) => setView('placement.hashed', e.currentTarget.checked ? '1' : null)}
        />
        <span>
          {p.dram.hashed} <span class="quiet">{p.dram.hashedHelp}</span>
        </span>
      </label>
      <p class="lesson">{p.dram.lesson}</p>
      <button type="button" class="primary" onClick={() => void reveal(null)}>
        {p.dram.page}
      </button>
    </section>
  );
}

export function MemoryView() {
  const wanted = key();
  useEffect(() => void guarded(hide), [wanted]);
  if (bits.value.length === 0) return null;
  return (
    <>
      {revealed.value && <Revealed shown={revealed.value} />}
      <Measure />
      <Answer />
    </>
  );
}

interface Flip {
  bit: number;
  ns: [number, number, number];
}

function Measure() {
  const found = times.value;
  const rows: Flip[] = (found?.bits ?? []).map((bit, i) => ({ bit, ns: found!.ns[i]! }));
  const nanoseconds = (name: string, label: string, at: 0 | 1 | 2): Column<Flip> => ({
    key: name,
    label,
    numeric: true,
    value: (r) => r.ns[at],
    show: (r) => r.ns[at].toFixed(0),
  });
  const columns: Column<Flip>[] = [
    { key: 'bit', label: p.dram.bit, head: true, value: (r) => r.bit },
    nanoseconds('least', p.dram.least, 0),
    nanoseconds('median', p.dram.median, 1),
    nanoseconds('most', p.dram.most, 2),
  ];
  return (
    <Section title={p.dram.bench} term="address_mapping" hint={p.dram.measureHint} class="bench">
      <form
        class="measure"
        onSubmit={(e) => {
          e.preventDefault();
          const chosen = new FormData(e.currentTarget).get('with');
          void measure(typeof chosen === 'string' && chosen !== '' ? Number(chosen) : null);
        }}
      >
        <div class="field">
          <label for="memory-with">{p.dram.with}</label>
          <select id="memory-with" name="with">
            <option value="">{p.dram.alone}</option>
            {bits.value.map((bit) => (
              <option key={bit} value={String(bit)}>
                {p.dram.together(bit)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="primary">
          {p.dram.measure}
        </button>
      </form>
      {found && (
        <>
          <p class="quiet">{p.dram.legend}</p>
          <Drawing
            draw={(look) => engine.ask((r) => r.figure('flips', [], look))}
            of={[found]}
            name="bits"
            label={p.dram.figure(found)}
            table={<DataTable caption={p.dram.measure} columns={columns} rows={rows} firstPage={30} />}
          />
        </>
      )}
    </Section>
  );
}

function Answer() {
  return (
    <Section title={p.dram.answer} hint={p.dram.answerHint} class="answer">
      <form
        onSubmit={(e) => {
          e.preventDefault();
          const together = readGroups(groups.value, bits.value);
          if (together) return void reveal({ kinds: bits.value.map((bit) => kinds.value[bit] ?? null), together });
          // What is revealed stays revealed, so an answer that cannot be read is refused first.
          const field = e.currentTarget.elements.namedItem('memory-groups') as HTMLInputElement;
          field.setCustomValidity(p.dram.groupsHint);
          field.reportValidity();
        }}
      >
        <div class="bits">
          {bits.value.map((bit) => (
            <div class="field" key={bit}>
              <label for={`bit-${bit}`} aria-label={p.dram.kindOf(bit)}>
                {bit}
              </label>
              <select
                id={`bit-${bit}`}
                value={kinds.value[bit] ?? ''}
                onChange={(e) => {
                  const { [bit]: _, ...rest } = kinds.value;
                  const kind = KINDS.find((one) => one === e.currentTarget.value);
                  kinds.value = kind ? { ...rest, [bit]: kind } : rest;
                }}
              >
                <option value="">{p.dram.unsaid}</option>
                {KINDS.map((kind) => (
                  <option key={kind} value={kind}>
                    {p.dram.kind[kind]}
                  </option>
                ))}
              </select>
            </div>
          ))}
        </div>
        <div class="field groups">
          <label for="memory-groups">{p.dram.groups}</label>
          <input
            id="memory-groups"
            value={groups.value}
            aria-describedby="memory-groups-help"
            onInput={(e) => {
              e.currentTarget.setCustomValidity('');
              groups.value = e.currentTarget.value;
            }}
          />
          <p class="quiet" id="memory-groups-help">
            {p.dram.groupsHint}
          </p>
        </div>
        <p class="buttons">
          <button type="submit" class="primary">
            {p.dram.reveal}
          </button>
        </p>
      </form>
    </Section>
  );
}

interface Row {
  who: string;
  mapping: MappingBits;
  score: DramScore | null;
}

/** An answer as a mapping: bits that nobody joined are banks of their own. */
function mappingOf({ kinds, together }: DramAnswer): MappingBits {
  const of = (kind: BitKind) => bits.value.filter((_, i) => kinds[i] === kind);
  const joined = new Set(together.flat());
  return {
    column: of('column'),
    bank: [
      ...of('bank')
        .filter((bit) => !joined.has(bit))
        .map((bit) => [bit]),
      ...together,
    ],
    row: of('row'),
  };
}

function Revealed({
  shown: {
    report: { report, yours, probes },
    answer,
  },
}: {
  shown: { report: DramReveal; answer: DramAnswer | null };
}) {
  const rows: Row[] = [
    { who: p.dram.truth, mapping: report.truth, score: null },
    ...(answer ? [{ who: p.dram.you, mapping: mappingOf(answer), score: yours }] : []),
    { who: p.dram.algorithm, mapping: report.algorithm_1, score: probes[0] },
    { who: p.dram.pairs, mapping: report.pair_probe, score: probes[1] },
  ];
  const text = (list: string[], between: string) => (list.length > 0 ? list.join(between) : p.none);
  const columns: Column<Row>[] = [
    { key: 'who', label: p.dram.who, head: true, value: (r) => r.who },
    { key: 'right', label: p.dram.right, show: (r) => (r.score ? p.dram.score(r.score) : p.none) },
    { key: 'column', label: p.dram.column, show: (r) => text(r.mapping.column.map(String), ' ') },
    { key: 'bank', label: p.dram.bank, show: (r) => text(r.mapping.bank.map(p.dram.mask), ', ') },
    { key: 'row', label: p.dram.row, show: (r) => text(r.mapping.row.map(String), ' ') },
  ];
  return (
    <Section title={p.dram.revealed} class="verdict revealed">
      <p class="sentence" data-testid="dram-score">
        {answer ? p.dram.said(yours) : p.dram.found(...probes)}
      </p>
      <DataTable key={rows.length} caption={p.dram.revealed} columns={columns} rows={rows} />
      <p class="meaning">{p.dram.explain}</p>
    </Section>
  );
}
