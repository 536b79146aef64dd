// The comparison with the baseline: the changed inputs named, then each number with its difference.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { baseline, type Baseline } from '../../../app/baseline';
import { beside, chosenKernel, isPinned, openFor, paired, swap, told, unpin } from '../../../app/compare';
import { figureNumbers } from '../../../app/figure-numbers';
import { gpuName } from '../../../app/gpu-name';
import { engine } from '../../../app/session';
import { kernel, parameters, result, scenario, type Result } from '../../../app/store';
import { Coded } from '../../../components/coded';
import { DataTable, type Column } from '../../../components/data-table';
import { say } from '../../../content/messages';
import { c, legends, numberName, signedBy, unitFormat } from '../../../content/compare';
import { shortName } from '../../../content/format';
import { g } from '../../../content/gpu';
import { s } from '../../../content/strings';
import table from '../../../engine/generated/compare.json';
import type { ComparedNumber, FigureKind, Model, Parameter, Scenario } from '../../../engine/types';
import { Reproduced } from '../reproduced';
import { Answer, OtherModel, type Pair, pairOf, timesOfPair } from './answer';
import { changedInputs, type ChangedInput } from './inputs';
import { compareKernels, moved, type Compared, type NumberRow } from './numbers';
import '../../../styles/compare.css';

const numbers = table as ComparedNumber[];

/** Numbers in sight before a person asks for the others. */
const FIRST = 8;

export function Compare() {
  const now = baseline.value;
  const shown = result.value;
  if (!now || !shown) return null;
  const ready = now.kind === 'ready' ? now.result : null;
  return (
    <section class="card compare" aria-labelledby="compare-title" data-testid="compare">
      <div class="card-head">
        <h2 id="compare-title">
          {c.heading} <BaselineName ready={ready} />
        </h2>
        <span class="verdict-tools">
          {ready?.reproduced && <Reproduced result={ready} />}
          {ready && !isPinned.value && (
            <button type="button" title={c.swapHelp} onClick={() => void swap()}>
              {c.swap}
            </button>
          )}
          <button type="button" onClick={leave}>
            {c.unpin}
          </button>
        </span>
      </div>
      {now.kind === 'ready' ? <Ready before={now.result} shown={shown} /> : <Unready now={now} />}
    </section>
  );
}

/** The kernel beside the one on show, and its GPU. */
function BaselineName({ ready }: { ready: Result | null }) {
  const name = beside.value?.kernel.name;
  return ready && name ? <span class="quiet">{c.on(shortName(name), gpuName(ready.scenario.gpu))}</span> : null;
}

/** The button goes with the card, so the focus goes to the result. */
function leave() {
  unpin();
  document.getElementById('result')?.focus({ preventScroll: true });
}

function Unready({ now }: { now: Exclude<Baseline, { kind: 'ready' }> }) {
  switch (now.kind) {
    case 'running':
      return <p role="status">{c.running}</p>;
    case 'wanted':
      return (
        <>
          <p>{c.wanted(now.scenario.files)}</p>
          <Messages texts={now.why} />
          <OpenFiles />
        </>
      );
    case 'failed':
      return (
        <div role="alert">
          <p>{c.failed}</p>
          <Messages texts={now.diagnostics.map((diagnostic) => s.describe(diagnostic))} />
        </div>
      );
  }
}

function OpenFiles() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <p class="buttons">
      <button type="button" onClick={() => input.current?.click()}>
        {c.open}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={c.open}
        onChange={(e) => openFor([...(e.currentTarget.files ?? [])])}
      />
    </p>
  );
}

function Messages({ texts }: { texts: string[] }) {
  return texts.length === 0 ? null : (
    <ul class="notes">
      {texts.map((text) => (
        <li key={text}>
          <Coded text={text} />
        </li>
      ))}
    </ul>
  );
}

function Ready({ before, shown }: { before: Result; shown: Result }) {
  const label = useLabels(before);
  const inputs = changedInputs(before, shown, {
    gpu: gpuName,
    parameter: label,
    state: (id) => g.state.names[id] ?? id,
    own: ownValue,
  });
  const base = beside.value;
  const index = kernel.value ?? 0;
  const own = shown.report.kernels[index];
  const { model } = shown.report;
  const pair = base && pairOf(base, shown, index);
  const compared = useMemo(
    () =>
      base && own ? compareKernels(numbers, base, { model, kernel: own }, timesOfPair(pair, before, shown)) : null,
    [base?.kernel, own, model],
  );
  useTold(compared, model);
  const names = before.report.kernels.map((k) => shortName(k.name));
  const kernels = paired.value && own && <Kernels index={paired.value.index} names={names} own={shortName(own.name)} />;
  if (isPinned.value && !base)
    return (
      <>
        <p class="quiet">{c.itself}</p>
        {names.length > 1 && kernels}
      </>
    );
  const capacity =
    pair?.of === 'l1' && model === 'paper' && inputs.length === 1 && waysMoveCapacity(before, shown, pair);
  return (
    <>
      {before.reproduced === false && (
        <>
          <p>{c.notReproduced}</p>
          <Reproduced result={before} />
        </>
      )}
      {pair && compared && <Answer pair={pair} before={before} shown={shown} most={mostMoved(compared, model)} />}
      {base && base.model !== model && <OtherModel before={base.model} now={model} />}
      {capacity && <p>{c.capacity}</p>}
      <Inputs inputs={inputs} />
      {kernels}
      {pair?.of === 'gpu' && <p>{c.behind(pair.before, pair.now)}</p>}
      {compared && <Numbers compared={compared} model={model} key={`${model} ${index}`} />}
    </>
  );
}

/** Other ways, and a size that stays: the textbook has no other capacity misses then. */
function waysMoveCapacity({ report: a }: Result, { report: b }: Result, pair: Pair & { of: 'l1' }): boolean {
  if (a.model === 'gpu' || b.model === 'gpu') return false;
  return a.parameters['ways'] !== b.parameters['ways'] && pair.before.misses.capacity !== pair.now.misses.capacity;
}

/** Names of parameters. Those that only the baseline's GPU or model has are asked for. */
function useLabels({ scenario: { gpu, model } }: Result): (key: string) => string {
  const [others, setOthers] = useState<Parameter[]>([]);
  useEffect(() => {
    // A GPU from a file that is no longer in use has no parameters to ask for.
    engine.parameters(gpu, model).then(setOthers, () => setOthers([]));
  }, [gpu, model]);
  return (key) => say([...parameters.value, ...others].find((parameter) => parameter.key === key)?.label ?? key);
}

/** The GPU's own value of a parameter; null where the parameters at hand are those of another GPU or model. */
function ownValue(of: Scenario, key: string): string | null {
  const { gpu, model } = scenario.value;
  if (of.gpu !== gpu || of.model !== model) return null;
  return parameters.value.find((parameter) => parameter.key === key)?.value ?? null;
}

/** The difference as it is written; empty where both numbers are written alike. */
function changeOf({ number, before, now, difference }: NumberRow): string {
  const format = unitFormat[number.unit];
  const text = signedBy(difference, format);
  return text === c.nothing || format(before) === format(now) ? '' : text;
}

/** The number that moved farthest, in words. */
function mostMoved({ rows }: Compared, model: Model) {
  const [most] = rows.filter((row) => changeOf(row) !== '').sort((a, b) => moved(b) - moved(a));
  if (!most) return null;
  const format = unitFormat[most.number.unit];
  return { name: numberName(most.number.key, model), before: format(most.before), now: format(most.now) };
}

/** Facts, tables and charts of the result show their differences while the card is there. */
function useTold(compared: Compared | null, model: Model) {
  useEffect(() => {
    const facts = (compared?.rows ?? []).map((row) => {
      const text = changeOf(row);
      return [numberName(row.number.key, model), { text: text || c.nothing, word: text && judged(row) }] as const;
    });
    const figure = (kind: FigureKind) => {
      const base = beside.value;
      const alike = base && (base.model === 'gpu') === (model === 'gpu');
      const list = alike ? figureNumbers(kind, base) : null;
      return list && { numbers: list, legend: legends[kind] ?? '' };
    };
    told.value = { facts: new Map(facts), signed: signedBy, figure };
    return () => void (told.value = null);
  }, [compared, model]);
}

const judged = ({ verdict }: NumberRow) => (verdict === 'same' ? '' : (c.verdict[verdict] ?? ''));

function Inputs({ inputs }: { inputs: ChangedInput[] }) {
  if (inputs.length === 0) return <p class="quiet">{c.unchanged}</p>;
  return (
    <ul class="chips" aria-label={c.changed}>
      {inputs.map(({ name, before, now }) => (
        <li key={name} class="chip changed-input">
          {c.input(name, before, now)}
        </li>
      ))}
    </ul>
  );
}

/** Which kernels are compared, and the choice among those of the baseline. */
function Kernels({ index, names, own }: { index: number; names: string[]; own: string }) {
  if (names.length < 2) return names[0] === own ? null : <p class="quiet">{c.of(names[0] ?? '', own)}</p>;
  return (
    <p>
      <label for="base-kernel">{c.kernel}</label>{' '}
      <select
        id="base-kernel"
        value={String(index)}
        onChange={(e) => (chosenKernel.value = Number(e.currentTarget.value))}
      >
        {names.map((name, i) => (
          <option key={i} value={String(i)}>
            {i + 1}: {name}
          </option>
        ))}
      </select>
    </p>
  );
}

function columnsOf(model: Model): Column<NumberRow>[] {
  const format = (row: NumberRow) => unitFormat[row.number.unit];
  return [
    { key: 'number', label: c.number, head: true, show: (row) => numberName(row.number.key, model) },
    { key: 'before', label: c.baseline, numeric: true, show: (row) => format(row)(row.before) },
    { key: 'now', label: c.now, numeric: true, show: (row) => format(row)(row.now) },
    {
      key: 'change',
      label: c.change,
      numeric: true,
      value: moved,
      show: (row) => <Change row={row} />,
    },
  ];
}

/** What changed, or "same", but never both. */
function Change({ row }: { row: NumberRow }) {
  const text = changeOf(row);
  const word = text === '' ? 'same' : row.verdict === 'same' ? '' : row.verdict;
  return (
    <>
      {text}
      {text && row.verdict !== 'same' && row.ratio !== null && row.number.unit !== 'share' && (
        <span class="ratio"> {c.times(row.ratio)}</span>
      )}
      {word && <strong class={`verdict-word ${word}`}> {c.verdict[word]}</strong>}
    </>
  );
}

function Numbers({ compared: { rows, others }, model }: { compared: Compared; model: Model }) {
  const scopes = [...new Set(others.map(({ scope }) => scope))];
  return (
    <>
      {rows.length === 0 ? (
        <p>{c.none}</p>
      ) : (
        <DataTable caption={c.heading} columns={columnsOf(model)} rows={rows} firstPage={FIRST} />
      )}
      {others.length > 0 && (
        <details class="numbers">
          <summary>{c.others(others.length)}</summary>
          <ul class="notes">
            {scopes.map((scope) => {
              const names = others.filter((other) => other.scope === scope).map(({ key }) => numberName(key, model));
              return <li key={scope}>{c.notCompared(names, scope)}</li>;
            })}
          </ul>
        </details>
      )}
    </>
  );
}
