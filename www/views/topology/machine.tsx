// This machine: its CPU and its GPU, measured only when the visitor asks for it.

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { save } from '../../app/output';
import { DataTable, type Column } from '../../components/data-table';
import { Drawing } from '../../components/drawing';
import { Section } from '../../components/section';
import { bytes, count } from '../../content/format';
import { t } from '../../content/topology';
import * as engine from '../../engine/topology/engine';
import { LANES, WAYS, type Lanes, type Way } from '../../engine/topology/gpu-shader';
import type { CpuOutcome, GpuOutcome } from '../../engine/topology/machine';
import type { Machine as MachineFacts, MachineLevels, TopologyView } from '../../engine/topology/types';
import { activity, chooseFirst, hold, held, job, letGo, notice, progress, safely, setMode } from './state';

const cpu = signal<CpuOutcome | null>(null);
const gpu = signal<GpuOutcome | null>(null);

export function MachineSetup() {
  return (
    <section class="panel" aria-labelledby="machine-title">
      <h2 id="machine-title">{t.machine.heading}</h2>
      <p>{t.machine.lesson}</p>
      <h3>{t.machine.hidesHeading}</h3>
      <ul class="hides">
        {t.machine.hides.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

export function Machine() {
  useEffect(() => {
    const look = () => {
      if (!document.hidden || !activity.value) return;
      engine.stopMeasuring();
      // After the job has said that it was stopped.
      setTimeout(() => (notice.value = t.machine.hidden));
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return (
    <>
      <Cpu />
      <Gpu />
    </>
  );
}

/** Hands a curve to the tab's engine, for its figure, and makes a topology of it where there is a step. */
async function keep(
  id: 'cpu' | 'gpu',
  curve: { sizes: number[]; times: number[][]; perOctave: number },
  levels: MachineLevels,
  facts: Omit<MachineFacts, 'sizes' | 'latencies'>,
) {
  await engine.ask((r) => r.levels(id === 'cpu' ? 0 : 1, curve.sizes, curve.times, curve.perOctave));
  if (levels.boundaries.length === 0) return letGo(id);
  const sizes = levels.boundaries.map(([size]) => size);
  const view = await engine.ask((r) =>
    r.machine({ ...facts, sizes, latencies: levels.levels.map(([latency]) => latency) }),
  );
  hold(id, view);
}

const today = () => new Date().toISOString().slice(0, 10);

async function measureCpu(quick: boolean) {
  cpu.value = null;
  const found = await job(t.machine.measureCpu, () => engine.measureCpu(quick, progress));
  if (!found) return;
  const { levels } = found;
  if (levels) {
    await safely(() =>
      keep('cpu', found, levels, {
        name: t.machine.cpuName,
        vendor: 'unknown',
        source: t.machine.sourceCpu(today(), found.seconds),
        cores: navigator.hardwareConcurrency || null,
        lanes: 1,
        line: found.line || null,
        software: false,
      }),
    );
  }
  cpu.value = found;
}

interface MeasureProps {
  label: string;
  quick: boolean;
  setQuick: (quick: boolean) => void;
  start: () => void;
}

/** The button that starts a measurement, and whether it is to be a quick one. */
function Measure({ label, quick, setQuick, start }: MeasureProps) {
  return (
    <p class="buttons">
      <button type="button" class="primary" disabled={activity.value !== null} onClick={start}>
        {label}
      </button>
      <label class="check">
        <input type="checkbox" checked={quick} onChange={(e) => setQuick(e.currentTarget.checked)} />
        {t.machine.quick}
      </label>
    </p>
  );
}

function Cpu() {
  const [quick, setQuick] = useState(false);
  const found = cpu.value;
  return (
    <Section title={t.machine.cpu} class="machine-cpu">
      <p>{t.machine.consentCpu}</p>
      <Measure label={t.machine.measureCpu} quick={quick} setQuick={setQuick} start={() => void measureCpu(quick)} />
      {found?.refused && (
        <p class="mismatch" role="alert">
          {found.refused === 'clock' ? t.machine.clockTooCoarse(found.tick) : t.machine.noMemory}
        </p>
      )}
      {found?.levels && (
        <Levels id="cpu" levels={found.levels} view={held.value.cpu ?? null}>
          <li>{t.machine.tick(found.tick)}</li>
          <li>{t.machine.took(found.seconds, found.bytes)}</li>
          {found.extended && <li>{t.machine.extended}</li>}
          <li data-testid="line">{t.machine.votes(found.votes, found.line)}</li>
        </Levels>
      )}
    </Section>
  );
}

async function measureGpu(request: { way: Way; lanes: Lanes; quick: boolean }) {
  gpu.value = null;
  const found = await job(t.machine.measureGpu, () => engine.measureGpu(request, progress));
  if (!found) return;
  if (found.refused === null) {
    await safely(() =>
      keep('gpu', found, found.levels, {
        name: found.software ? `${found.adapter} (${t.machine.software})` : found.adapter,
        vendor: found.vendor || 'unknown',
        source: `${found.software ? `${t.machine.software}; ` : ''}${t.machine.sourceGpu(today(), t.machine.ways[request.way] ?? '', request.lanes, found.adapter)}`,
        cores: null,
        lanes: 32,
        line: null,
        software: found.software,
      }),
    );
  }
  gpu.value = found;
}

function GpuForm() {
  const [way, setWay] = useState<Way>('storage');
  const [lanes, setLanes] = useState<Lanes>(1);
  const [quick, setQuick] = useState(false);
  return (
    <>
      <div class="choices">
        <div class="field">
          <label for="gpu-way">{t.machine.way}</label>
          <select id="gpu-way" value={way} onChange={(e) => setWay(e.currentTarget.value as Way)}>
            {WAYS.map((w) => (
              <option key={w} value={w}>
                {t.machine.ways[w]}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="gpu-lanes">{t.machine.lanes}</label>
          <select
            id="gpu-lanes"
            value={String(lanes)}
            onChange={(e) => setLanes(Number(e.currentTarget.value) as Lanes)}
          >
            {LANES.map((n) => (
              <option key={n} value={String(n)}>
                {t.machine.lanesOf(n)}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Measure
        label={t.machine.measureGpu}
        quick={quick}
        setQuick={setQuick}
        start={() => void measureGpu({ way, lanes, quick })}
      />
    </>
  );
}

function Gpu() {
  const found = gpu.value;
  const absent = !('gpu' in navigator);
  return (
    <Section title={t.machine.gpu} class="machine-gpu">
      {absent ? <p>{t.machine.refused.absent}</p> : <p>{t.machine.consentGpu}</p>}
      {!absent && <GpuForm />}
      {found?.refused && (
        <p class="mismatch" role="alert">
          {t.machine.refused[found.refused]} <span class="quiet">{found.detail}</span>
        </p>
      )}
      {found?.refused === null && (
        <>
          {found.software && (
            <p class="mismatch" data-testid="software">
              <strong>{t.machine.software}</strong>. {t.machine.softwareHelp}
            </p>
          )}
          <Levels id="gpu" levels={found.levels} view={held.value.gpu ?? null}>
            <li>{t.machine.adapter(found.adapter)}</li>
            <li>{t.machine.tookGpu(found.seconds, t.machine.clocks[found.clock], found.longestMs)}</li>
            <li data-testid="visits">
              {t.machine.visits}:{' '}
              {found.visits
                .map((v) => `${t.machine.ways[v.way]}, ${v.lanes}: ${t.machine.visited(v.visited, v.of)}`)
                .join('; ')}
              .
            </li>
          </Levels>
        </>
      )}
    </Section>
  );
}

interface Level {
  level: number;
  latency: number;
  end: [number, number, number] | null;
}
interface Point {
  size: number;
  least: number;
  most: number;
}

const levelColumns = (id: 'cpu' | 'gpu'): Column<Level>[] => [
  { key: 'level', label: t.machine.level, head: true, value: (r) => r.level },
  {
    key: 'bytes',
    label: t.machine.bytes,
    numeric: true,
    value: (r) => r.end?.[0] ?? Infinity,
    show: (r) => (r.end ? bytes(Math.round(r.end[0])) : t.machine.beyond),
  },
  {
    key: 'range',
    label: t.machine.range,
    show: (r) => (r.end ? `${bytes(Math.round(r.end[1]))} to ${bytes(Math.round(r.end[2]))}` : t.none),
  },
  {
    key: 'latency',
    label: t.machine.latency,
    numeric: true,
    value: (r) => r.latency,
    show: (r) => `${t.machine.nanoseconds(r.latency)}${id === 'cpu' && r.level > 2 ? ` (${t.machine.assisted})` : ''}`,
  },
];

const CURVE: Column<Point>[] = [
  { key: 'size', label: t.measured.size, head: true, value: (r) => r.size, show: (r) => count(r.size) },
  { key: 'least', label: t.measured.least, numeric: true, value: (r) => r.least, show: (r) => r.least.toFixed(2) },
  { key: 'most', label: t.measured.most, numeric: true, value: (r) => r.most, show: (r) => r.most.toFixed(2) },
];

function Levels({
  id,
  levels,
  view,
  children,
}: {
  id: 'cpu' | 'gpu';
  levels: MachineLevels;
  view: TopologyView | null;
  children: preact.ComponentChildren;
}) {
  const rows: Level[] = levels.levels.map(([latency], i) => ({
    level: i + 1,
    latency,
    end: levels.boundaries[i] ?? null,
  }));
  const points: Point[] = levels.sizes.map((size, i) => ({ size, least: levels.least[i]!, most: levels.most[i]! }));
  const label = t.machine.curve(
    levels.levels.length,
    levels.boundaries.map(([size]) => bytes(Math.round(size))),
  );
  return (
    <div data-testid={`levels-${id}`}>
      <p class="sentence">{label}</p>
      <DataTable caption={t.machine.level} columns={levelColumns(id)} rows={rows} />
      <p class="quiet">{t.machine.legend}</p>
      <Drawing
        draw={(look) => engine.ask((r) => r.figure('levels', id === 'cpu' ? '0' : '1', look))}
        of={[levels]}
        name={`this-${id}`}
        label={label}
        table={<DataTable caption={t.machine.latency} columns={CURVE} rows={points} />}
      />
      <h3>{t.machine.facts}</h3>
      <ul>{children}</ul>
      {view ? (
        <p class="buttons">
          <button
            type="button"
            onClick={() => {
              chooseFirst(id);
              setMode('look');
            }}
          >
            {t.machine.look}
          </button>
          <button type="button" onClick={() => save(`${view.id}.topology.json`, 'application/json', view.json)}>
            {t.edit.save}
          </button>
        </p>
      ) : (
        <p>{t.machine.noLevels}</p>
      )}
    </div>
  );
}
