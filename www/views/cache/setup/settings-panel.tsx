// GPU, model, seed and everything else that can be set.

import schema from '../../../../schema/topology.schema.json?published';
import { chooseGpu, chooseModel, chooseSeed, rerun } from '../../../app/actions';
import { saveTopology } from '../../../app/output';
import { MAX_SEED } from '../../../app/scenario';
import { busy, intake, parameters, presets, scenario, source } from '../../../app/store';
import { DrawSeed } from '../../../components/draw-seed';
import { Term } from '../../../components/term';
import { s } from '../../../content/strings';
import type { Model, PresetInfo } from '../../../engine/types';
import { Parameters } from './parameters';

const MODELS: Model[] = ['paper', 'reference'];

export function SettingsPanel() {
  const { gpu, model, seed, set } = scenario.value;
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
        <p class="quiet">{presets.find((p) => p.id === gpu)?.summary}</p>
        <p class="quiet">
          <button type="button" class="link-button" onClick={() => void saveTopology(gpu)}>
            {s.settings.saveGpu}
          </button>{' '}
          (<a href={schema}>{s.settings.schema}</a>)
        </p>
      </div>
      <div class="row seeded">
        <div class="field">
          <Term id={model === 'paper' ? 'model_paper' : 'model_reference'}>
            <label for="model">{s.settings.model}</label>
          </Term>
          <select id="model" value={model} onChange={(e) => void chooseModel(e.currentTarget.value as Model)}>
            {MODELS.map((m) => (
              <option key={m} value={m}>
                {s.settings.models[m]}
              </option>
            ))}
          </select>
        </div>
        <Seed seed={seed} />
      </div>
      <button type="button" class="primary run" disabled={!source.value || busy.value} onClick={() => void rerun()}>
        {s.settings.run} <kbd aria-hidden="true">r</kbd>
      </button>
      {parameters.value.length > 0 && <Parameters list={parameters.value} set={set} />}
    </section>
  );
}

function Seed({ seed }: { seed: number }) {
  return (
    <div class="field seed">
      <Term id="seed">
        <label for="seed">{s.settings.seed}</label>
      </Term>
      <span class="with-button">
        <input
          id="seed"
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
