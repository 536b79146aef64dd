// The stream: where it comes from, in which lines, and by which engine.

import { useSignal } from '@preact/signals';
import { OpenButton } from '../../components/file-input';
import { KeptInput } from '../../components/kept-input';
import { Term } from '../../components/term';
import { say } from '../../content/messages';
import { count } from '../../content/format';
import { r } from '../../content/reuse';
import { s } from '../../content/strings';
import { PATTERNS, type EngineName, type Pattern } from '../../engine/reuse/protocol';
import * as store from '../../app/store';
import { change } from './change';
import { ENGINES, KEEP, LIMITS, LINE_SIZES, numberFor, PAPER, RATES } from './settings';
import { run } from './actions';
import { activity, input, needed, prepared, settings } from './state';

export function Setup() {
  return (
    <section class="panel reuse-panel" aria-labelledby="reuse-setup">
      <h2 id="reuse-setup">{r.setup}</h2>
      <Source />
      <LineSize />
      <EngineField />
      <Estimate />
      <button type="button" class="primary run" disabled={activity.value !== null} onClick={() => void run()}>
        {r.run}
      </button>
      <details class="parameters">
        <summary>{r.advanced}</summary>
        <div class="reuse-numbers">
          <NumberField
            id="workers"
            label={r.workers}
            value={settings.value.workers}
            max={LIMITS.workers}
            set={(n) => change({ workers: String(n) })}
          />
          <NumberField
            id="st"
            label={r.st}
            value={settings.value.st}
            max={LIMITS.st}
            set={(n) => change({ st: n === PAPER.st ? null : String(n) })}
          />
          <NumberField
            id="nb"
            label={r.nb}
            value={settings.value.nb}
            max={LIMITS.nb}
            set={(n) => change({ nb: n === PAPER.nb ? null : String(n) })}
          />
          <NumberField
            id="keep"
            label={r.keep}
            value={settings.value.keep}
            min={0}
            max={LIMITS.keep}
            set={(n) => change({ keep: n === KEEP ? null : String(n) })}
          />
        </div>
      </details>
    </section>
  );
}

function Source() {
  const { input: from, generated, files } = settings.value;
  const isGenerated = from !== 'trace' && from !== 'files';
  const choose = (value: string) => {
    const pattern = PATTERNS.some((p) => p === value) ? value : null;
    change(value === 'files' ? { input: null, line: null } : { input: pattern, line: null, files: null });
  };
  return (
    <>
      <div class="drop-zone">
        <OpenButton primary>{r.input.open}</OpenButton>
        <p class="quiet formats">{r.input.formats}</p>
      </div>
      <div class="field">
        <label for="reuse-input">{r.input.label}</label>
        <select id="reuse-input" value={from} onChange={(e) => choose(e.currentTarget.value)}>
          {files.length > 0 && <option value="files">{r.input.files}</option>}
          {/* The name is a line of its own: it is too long for a field of a phone. */}
          <option value="trace">{r.input.trace}</option>
          <optgroup label={r.input.generated}>
            {PATTERNS.map((p) => (
              <option key={p} value={p}>
                {r.input.names[p]}
              </option>
            ))}
          </optgroup>
        </select>
        {from === 'trace' && <p class="hint">{sourceName()}</p>}
        {from === 'files' && (
          <p class="quiet file-name">
            {files.map((f) => s.source.file(f.name, f.size)).join('; ')}
            {input.value?.formats[0] && ` (${[...new Set(input.value.formats)].join(', ')})`}
          </p>
        )}
      </div>
      {from === 'files' && <ReadAs />}
      {isGenerated && <GeneratedFields pattern={generated.pattern} />}
      {from === 'trace' && <Order />}
    </>
  );
}

/** Where the content fits several formats, a person knows better. */
function ReadAs() {
  const candidates = input.value?.candidates ?? [];
  const { format } = settings.value;
  if (candidates.length < 2 && format === null) return null;
  const keys = candidates.length > 1 ? candidates : [format!];
  return (
    <div class="field">
      <label for="reuse-format">{r.input.readAs}</label>
      <select
        id="reuse-format"
        value={format ?? ''}
        onChange={(e) => change({ format: e.currentTarget.value || null, line: null })}
      >
        <option value="">{r.input.looks(s.contents.formats[input.value?.read_as ?? ''] ?? '')}</option>
        {keys.map((key) => (
          <option key={key} value={key}>
            {s.contents.formats[key] ?? key}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What the Cache tab shows, for the menu. */
function sourceName(): string {
  const source = store.source.value;
  if (!source) return '';
  const example = store.examples.find((e) => e.id === source.example)?.title;
  const name = example ? say(example) : source.files.map((f) => f.name).join(', ');
  return name.length > 40 ? `${name.slice(0, 39)}…` : name;
}

function GeneratedFields({ pattern }: { pattern: Pattern }) {
  const { n, m, seed, exponent } = settings.value.generated;
  return (
    <>
      <p class="lesson">{r.input.about[pattern]}</p>
      <div class="reuse-numbers">
        <NumberField
          id="n"
          label={r.input.n}
          value={n}
          max={LIMITS.n}
          set={(value) => change({ n: numberFor('n', value) })}
        />
        <NumberField
          id="m"
          label={r.input.m}
          value={m}
          max={LIMITS.m}
          set={(value) => change({ m: numberFor('m', value) })}
        />
        <NumberField
          id="seed"
          label={r.input.seed}
          value={seed}
          min={0}
          max={LIMITS.seed}
          set={(value) => change({ seed: numberFor('seed', value) })}
        />
        {pattern === 'zipf' && (
          <NumberField
            id="exponent"
            label={r.input.exponent}
            value={exponent}
            min={0}
            max={LIMITS.exponent}
            step="any"
            set={(value) => change({ exponent: numberFor('exponent', value) })}
          />
        )}
      </div>
    </>
  );
}

function Order() {
  const { order } = settings.value;
  return (
    <div class="field">
      <label for="reuse-order">{r.input.order}</label>
      <select
        id="reuse-order"
        value={order}
        aria-describedby="reuse-order-help"
        onChange={(e) => change({ order: e.currentTarget.value === 'model' ? 'model' : null })}
      >
        {Object.entries(r.input.orders).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <p class="quiet" id="reuse-order-help">
        {r.input.orderHelp[order]}
      </p>
    </div>
  );
}

function LineSize() {
  const line = settings.value.line ?? input.value?.line_bytes ?? 64;
  const sizes = LINE_SIZES.includes(line) ? LINE_SIZES : [...LINE_SIZES, line].sort((a, b) => a - b);
  const dragged = useSignal<number | null>(null);
  const shown = dragged.value ?? line;
  const used = prepared.value?.line_bytes;
  const widened =
    settings.value.input === 'trace' && settings.value.order === 'model' && used !== undefined && used > line;
  return (
    <div class="field">
      <label for="reuse-line">
        {r.line.label}: <output>{r.line.value(shown)}</output>
      </label>
      <input
        id="reuse-line"
        type="range"
        min={0}
        max={sizes.length - 1}
        step={1}
        value={sizes.indexOf(shown)}
        aria-valuetext={r.line.value(shown)}
        onInput={(e) => (dragged.value = sizes[e.currentTarget.valueAsNumber] ?? null)}
        onChange={(e) => {
          dragged.value = null;
          const chosen = sizes[e.currentTarget.valueAsNumber];
          if (chosen !== undefined) change({ line: chosen === input.value?.line_bytes ? null : String(chosen) });
        }}
      />
      {widened && <p class="quiet">{r.line.keptAs(r.line.value(line), r.line.value(used))}</p>}
    </div>
  );
}

function EngineField() {
  const { engine, rate } = settings.value;
  return (
    <>
      <div class="field">
        <Term id="reuse_engine">
          <span id="reuse-engine-label">{r.engine.label}</span>
        </Term>
        <select
          id="reuse-engine"
          aria-labelledby="reuse-engine-label"
          value={engine}
          aria-describedby="reuse-engine-help"
          onChange={(e) =>
            change({ engine: (e.currentTarget.value as EngineName) === 'auto' ? null : e.currentTarget.value })
          }
        >
          {ENGINES.map((name) => (
            <option key={name} value={name}>
              {r.engine.names[name]}
            </option>
          ))}
        </select>
        <p class="quiet" id="reuse-engine-help">
          {r.engine.about[engine]}
        </p>
      </div>
      {engine === 'sample' && <Rate id="reuse-rate" value={rate} />}
    </>
  );
}

export function Rate({ id, value }: { id: string; value: number }) {
  const rates = RATES.includes(value) ? RATES : [...RATES, value].sort((a, b) => b - a);
  return (
    <div class="field">
      <label for={id}>{r.engine.rate}</label>
      <select
        id={id}
        value={String(value)}
        onChange={(e) => change({ rate: e.currentTarget.value === '0.01' ? null : e.currentTarget.value })}
      >
        {rates.map((n) => (
          <option key={n} value={String(n)}>
            1 / {count(1 / n)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What the next run takes, and whether another line size reads the file again. */
function Estimate() {
  const [ready, info] = [prepared.value, input.value];
  if (!ready || !info) return null;
  const files = settings.value.input !== 'trace' && info.files.length > 0;
  return (
    <p class="quiet">
      {r.estimate(needed(settings.value.engine, ready))}{' '}
      {files && (info.kept_bytes === null ? r.passing : r.kept(info.kept_bytes))}
    </p>
  );
}

interface NumberProps {
  id: string;
  label: string;
  value: number;
  min?: number;
  max: number;
  step?: string;
  set: (n: number) => void;
}

function NumberField({ id, label, value, min = 1, max, step = '1', set }: NumberProps) {
  return (
    <div class="field">
      <label for={`reuse-${id}`}>{label}</label>
      <KeptInput
        id={`reuse-${id}`}
        type="number"
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(e) => {
          const n = e.currentTarget.valueAsNumber;
          if (n >= min && n <= max && (step === 'any' || Number.isInteger(n))) set(n);
          else e.currentTarget.value = String(value);
        }}
      />
    </div>
  );
}
