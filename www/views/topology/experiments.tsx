// The visitor's experiments on the hidden GPU, and what they show.

import { computed, signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DataTable, type Column, numberColumn } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Section } from '../../components/section';
import { Term } from '../../components/term';
import { announce } from '../../app/store';
import { count, percent1 } from '../../content/format';
import { t } from '../../content/topology';
import * as engine from '../../engine/topology/engine';
import type { Experiment, Outcome, SharesOutcome, WalkOutcome } from '../../engine/topology/types';
import { CurveFigures } from './curve';
import { parseBytes } from './numbers';
import { finer } from './pure';
import { activity, job, notice, progress } from './state';

type Kind = Experiment['kind'];
const KINDS: Kind[] = ['sizes', 'walk', 'sharing', 'amount'];
const outcome = signal<Outcome | null>(null);
/** What the last experiment shows, in a sentence. */
export const shown = computed(() => (outcome.value ? sentenceOf(outcome.value) : null));

function sentenceOf(found: Outcome): string {
  if (found.kind === 'sizes') return t.measured.reducedLabel(found.change, found.interval, found.p);
  if (found.kind === 'walk') return t.discover.walkLabel(found.p50, found.slow_from, found.distance);
  const disturbed = found.together.filter((share) => share > found.limit);
  return t.discover.sharesLabel(disturbed.length, found.labels.length);
}

/** The experiment that the game suggests, in the form's fields. */
const suggested = signal<Experiment | null>(null);

export function forgetExperiment() {
  outcome.value = null;
  suggested.value = null;
}

export function suggest(experiment: Experiment) {
  outcome.value = null;
  suggested.value = experiment;
}

/** The fields of the form that an experiment fills in. */
function fieldsOf(experiment: Experiment): Partial<Fields> {
  const { kind, ...values } = experiment;
  const { first_bytes: bytes, ...others } = kind === 'sharing' ? experiment : { first_bytes: undefined, ...values };
  const known = Object.entries(bytes === undefined ? others : { ...others, bytes });
  return Object.fromEntries(known.filter(([key]) => key in FRESH).map(([key, value]) => [key, String(value)]));
}

type Fields = Record<'from' | 'to' | 'step' | 'bytes' | 'second_bytes' | 'stride', string>;
const FRESH: Fields = { from: '1 KiB', to: '1 MiB', step: '0', bytes: '256 KiB', second_bytes: '8 KiB', stride: '4' };
/** What an experiment asks for. */
const ASKS: Record<Kind, (keyof Fields)[]> = {
  sizes: ['from', 'to', 'step'],
  walk: ['bytes', 'stride'],
  sharing: ['bytes', 'second_bytes'],
  amount: ['bytes'],
};
const LABELS: Record<keyof Fields, string> = {
  from: t.discover.from,
  to: t.discover.to,
  step: t.discover.step,
  bytes: t.discover.bytes,
  second_bytes: t.discover.secondBytes,
  stride: t.discover.stride,
};
/** Memories whose experiments with two threads mean something. */
const CACHES = (memories: string[]) => memories.filter((m) => !['shared', 'main', 'l2'].includes(m));

async function measure(wanted: Experiment) {
  const found = await job(t.discover.experiment, () => engine.experiment(wanted, progress));
  if (!found) return;
  outcome.value = found;
  announce(sentenceOf(found));
}

export function Experiments({ memories }: { memories: string[] }) {
  const [kind, setKind] = useState<Kind>('sizes');
  const [memory, setMemory] = useState(memories[0]!);
  const [second, setSecond] = useState(memories[1] ?? memories[0]!);
  const [warm, setWarm] = useState(true);
  const [fields, setFields] = useState(FRESH);
  const fill = (asked: Experiment) => {
    setKind(asked.kind);
    setMemory(asked.kind === 'sharing' ? asked.first : asked.memory);
    if (asked.kind === 'sharing') setSecond(asked.second);
    setFields((before) => ({ ...before, ...fieldsOf(asked) }));
  };
  const choices = kind === 'sharing' || kind === 'amount' ? CACHES(memories) : memories;
  const wanted = suggested.value;
  const early = useRef<'nothing' | 'typed' | null>('nothing');
  // Before the next press of “Measure”, however quick.
  useLayoutEffect(() => {
    if (!wanted) return;
    const before = early.current;
    early.current = null;
    // What was typed before the game's first question came stays.
    if (before === 'typed') return;
    fill(wanted);
  }, [wanted]);
  const first = choices.includes(memory) ? memory : choices[0]!;
  const run = () => {
    const wanted = experimentOf(kind, first, second, warm, fields);
    if (!wanted) return void (notice.value = t.discover.wrongBytes);
    void measure(wanted);
  };
  return (
    <Section title={t.discover.bench} hint={t.discover.benchHint} class="bench">
      <form
        class="choices"
        onSubmit={(e) => {
          e.preventDefault();
          run();
        }}
      >
        <PickKind value={kind} onPick={setKind} />
        <Pick id="experiment-memory" label={t.discover.memory} value={first} of={choices} onPick={setMemory} />
        {kind === 'sharing' && (
          <Pick id="experiment-second" label={t.discover.second} value={second} of={choices} onPick={setSecond} />
        )}
        {ASKS[kind].map((key) => (
          <Asked
            key={key}
            name={key}
            value={fields[key]}
            type={(text) => {
              if (early.current) early.current = 'typed';
              setFields({ ...fields, [key]: text });
            }}
          />
        ))}
        {kind === 'walk' && (
          <label class="check">
            <input type="checkbox" checked={warm} onChange={(e) => setWarm(e.currentTarget.checked)} />
            {t.discover.warm}
          </label>
        )}
        <button type="submit" disabled={activity.value !== null}>
          {t.discover.run}
        </button>
      </form>
      {outcome.value && (
        <Result
          outcome={outcome.value}
          look={(closer) => {
            fill(closer);
            void measure(closer);
          }}
        />
      )}
    </Section>
  );
}

function Asked({ name, value, type }: { name: keyof Fields; value: string; type: (text: string) => void }) {
  const id = `experiment-${name}`;
  const label = <span id={`${id}-label`}>{LABELS[name]}</span>;
  return (
    <div class="field">
      {name === 'step' ? <Term id="quarter_octave">{label}</Term> : <label for={id}>{label}</label>}
      <input id={id} aria-labelledby={`${id}-label`} value={value} onInput={(e) => type(e.currentTarget.value)} />
    </div>
  );
}

/** What came out, with its first chart in view, and the way to look closer. */
function Result({ outcome, look }: { outcome: Outcome; look: (closer: Experiment) => void }) {
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const figure = here.current?.querySelector('.figure');
    if (!figure) return;
    // It has its height once it is drawn.
    const watch = new ResizeObserver(() => {
      figure.scrollIntoView({ block: 'nearest' });
      if (figure.querySelector('.drawing')) watch.disconnect();
    });
    watch.observe(figure);
    return () => watch.disconnect();
  }, [outcome]);
  const closer = outcome.kind === 'sizes' ? finer(outcome) : null;
  return (
    <div ref={here}>
      {closer && (
        <p class="buttons">
          <button type="button" disabled={activity.value !== null} onClick={() => look(closer)}>
            {t.discover.finer(closer.step)}
          </button>
        </p>
      )}
      <OutcomeView outcome={outcome} />
    </div>
  );
}

function PickKind({ value, onPick }: { value: Kind; onPick: (kind: Kind) => void }) {
  return (
    <div class="field wide">
      <label for="experiment">{t.discover.experiment}</label>
      <select id="experiment" value={value} onChange={(e) => onPick(e.currentTarget.value as Kind)}>
        {KINDS.map((k) => (
          <option key={k} value={k}>
            {t.discover.experiments[k]}
          </option>
        ))}
      </select>
    </div>
  );
}

function Pick({
  id,
  label,
  value,
  of,
  onPick,
}: {
  id: string;
  label: string;
  value: string;
  of: string[];
  onPick: (m: string) => void;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(e) => onPick(e.currentTarget.value)}>
        {of.map((m) => (
          <option key={m} value={m}>
            {t.memory(m)}
          </option>
        ))}
      </select>
    </div>
  );
}

function experimentOf(kind: Kind, memory: string, second: string, warm: boolean, fields: Fields): Experiment | null {
  const sizes = Object.fromEntries(ASKS[kind].map((key) => [key, parseBytes(fields[key])]));
  if (Object.values(sizes).some((size) => size === null)) return null;
  const size = (key: keyof Fields) => sizes[key]!;
  switch (kind) {
    case 'sizes':
      return { kind, memory, from: size('from'), to: size('to'), step: size('step') };
    case 'walk':
      return { kind, memory, bytes: size('bytes'), stride: size('stride'), warm };
    case 'sharing':
      return { kind, first: memory, second, first_bytes: size('bytes'), second_bytes: size('second_bytes') };
    case 'amount':
      return { kind, memory, bytes: size('bytes') };
  }
}

function OutcomeView({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'sizes') return <CurveFigures curve={outcome} of="experiment" />;
  const label = sentenceOf(outcome);
  return outcome.kind === 'walk' ? <Walk walk={outcome} label={label} /> : <Shares shares={outcome} label={label} />;
}

interface Load {
  address: number;
  time: number;
  slow: boolean;
}

function Walk({ walk, label }: { walk: WalkOutcome; label: string }) {
  const rows: Load[] = walk.times.map((time, i) => ({
    address: i * walk.stride,
    time,
    slow: walk.slow_from !== null && time > walk.slow_from,
  }));
  const columns: Column<Load>[] = [
    { key: 'address', label: t.discover.address, head: true, value: (r) => r.address, show: (r) => count(r.address) },
    { key: 'time', label: t.discover.time, numeric: true, value: (r) => r.time },
    { key: 'slow', label: t.discover.slow, value: (r) => Number(r.slow), show: (r) => (r.slow ? t.discover.slow : '') },
  ];
  return (
    <>
      <p data-testid="outcome">{label}</p>
      <p class="quiet">{t.discover.walkLegend}</p>
      <Drawing
        draw={(look) => engine.ask((r) => r.figure('walk', '', look))}
        of={[walk]}
        name="walk"
        label={label}
        table={<DataTable caption={t.discover.time} columns={columns} rows={rows} />}
      />
    </>
  );
}

interface Share {
  who: string;
  alone: number;
  together: number;
}

function Shares({ shares, label }: { shares: SharesOutcome; label: string }) {
  const rows: Share[] = shares.labels.map((who, i) => ({
    who: t.memory(who),
    alone: shares.alone[i]!,
    together: shares.together[i]!,
  }));
  const columns: Column<Share>[] = [
    { key: 'who', label: t.discover.who, head: true, value: (r) => r.who },
    numberColumn('alone', t.discover.alone, (r) => r.alone, percent1),
    numberColumn('together', t.discover.together, (r) => r.together, percent1),
  ];
  return (
    <>
      <p data-testid="outcome">{label}</p>
      <p class="quiet">{t.discover.sharesLegend}</p>
      <Drawing
        draw={(look) => engine.ask((r) => r.figure('shares', '', look))}
        of={[shares]}
        name="shares"
        label={label}
        table={<DataTable caption={t.discover.slow} columns={columns} rows={rows} firstPage={40} />}
      />
    </>
  );
}
