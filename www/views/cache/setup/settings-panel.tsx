// GPU, model, state or seed, and everything else that can be set.

import schema from '../../../../schema/topology.schema.json?published';
import { chooseGpu, chooseModel, chooseSeed, chooseState, rerun } from '../../../app/actions';
import { saveTopology } from '../../../app/output';
import { gpuSummary, MAX_SEED } from '../../../app/scenario';
import { busy, intake, parameters, presets, scenario, source } from '../../../app/store';
import { DrawSeed } from '../../../components/draw-seed';
import { KeptInput } from '../../../components/kept-input';
import { Term } from '../../../components/term';
import { g } from '../../../content/gpu';
import { say } from '../../../content/messages';
import { s } from '../../../content/strings';
import type { LaunchState, Model, PresetInfo } from '../../../engine/types';
import { Parameters } from './parameters';

const MODELS: Model[] = ['gpu', 'paper', 'reference'];
const STATES: LaunchState[] = ['cold', 'copies', 'replay', 'warm'];

export function SettingsPanel() {
  const { gpu, model, seed, set, state } = scenario.value;
  return (
    <section class="panel" aria-labelledby="settings-title">
      <h2 id="settings-title">{s.settings.heading}</h2>
      <div class="field">
        <label for="gpu">{s.settings.gpu}</label>
        <select id="gpu" value={gpu} onChange={(e) => void chooseGpu(e.currentTarget.value)}>
          {(intake.value?.topology ?? null) !== null && (
            <option value="file">{s.settings.gpuFromFile(intake.value?.topology ?? '')}</option>
          )}
          {byVendor(presets).map(([vendor, list]) => (
            <optgroup key={vendor} label={vendor}>
              {list.map((p) => (
                <option key={p.id} value={p.id}>
                  {p.name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <p class="quiet">{say(gpuSummary(presets.find((p) => p.id === gpu)?.summary ?? '', parameters.value, set))}</p>
        <p class="quiet">
          <button type="button" class="link-button" onClick={() => void saveTopology(gpu)}>
            {s.settings.saveGpu}
          </button>{' '}
          (<a href={schema}>{s.settings.schema}</a>)
        </p>
      </div>
      <div class="field">
        <Term id={`model_${model}`}>
          <span id="model-label">{s.settings.model}</span>
        </Term>
        <select
          id="model"
          aria-labelledby="model-label"
          value={model}
          aria-describedby="model-help"
          onChange={(e) => void chooseModel(e.currentTarget.value as Model)}
        >
          {MODELS.map((m) => (
            <option key={m} value={m}>
              {s.settings.models[m]}
            </option>
          ))}
        </select>
        <p class="quiet" id="model-help">
          {s.settings.modelHelp[model]}
        </p>
      </div>
      {model === 'gpu' ? <State state={state} /> : <Seed seed={seed} />}
      <button type="button" class="primary run" disabled={!source.value || busy.value} onClick={() => void rerun()}>
        {s.settings.run} <kbd aria-hidden="true">r</kbd>
      </button>
      {parameters.value.length > 0 && <Parameters list={parameters.value} set={set} facts={model === 'gpu'} />}
    </section>
  );
}

function State({ state }: { state: LaunchState }) {
  return (
    <div class="field">
      <Term id="launch_state">
        <span id="state-label">{g.state.label}</span>
      </Term>
      <select
        id="state"
        aria-labelledby="state-label"
        value={state}
        aria-describedby="state-help"
        onChange={(e) => void chooseState(e.currentTarget.value as LaunchState)}
      >
        {STATES.map((name) => (
          <option key={name} value={name}>
            {g.state.names[name]}
          </option>
        ))}
      </select>
      <p class="quiet" id="state-help">
        {g.state.help[state]}
      </p>
    </div>
  );
}

function Seed({ seed }: { seed: number }) {
  return (
    <div class="field seed">
      <Term id="seed">
        <span id="seed-label">{s.settings.seed}</span>
      </Term>
      <span class="with-button">
        <KeptInput
          id="seed"
          aria-labelledby="seed-label"
          type="number"
          min={0}
          max={MAX_SEED}
          step={1}
          value={seed}
          onChange={(e) => {
            const n = e.currentTarget.valueAsNumber;
            if (Number.isInteger(n) && n >= 0 && n <= MAX_SEED) void chooseSeed(n);
            else e.currentTarget.value = String(seed);
          }}
        />
        <DrawSeed take={chooseSeed} />
      </span>
    </div>
  );
}

function byVendor(list: PresetInfo[]): [string, PresetInfo[]][] {
  const groups = new Map<string, PresetInfo[]>();
  for (const p of list) groups.set(p.vendor, [...(groups.get(p.vendor) ?? []), p]);
  return [...groups];
}
