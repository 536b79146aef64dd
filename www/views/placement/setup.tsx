// What is placed, on which GPU, and by which variant of the model.

import { useState } from 'preact/hooks';
import { OpenButton } from '../../components/file-input';
import { Term } from '../../components/term';
import { gpuName } from '../../app/gpu-name';
import { openExample } from '../../app/sources';
import * as store from '../../app/store';
import { setView } from '../../app/tabs';
import { shortName } from '../../content/format';
import { say } from '../../content/messages';
import { p } from '../../content/placement';
import { run } from './actions';
import { PARTS, QUEUES } from './settings';
import { Printed } from './printed';
import { activity, input, settings } from './state';

const change = (key: string, value: string | null) => setView(`placement.${key}`, value);

export function Setup() {
  return (
    <section class="panel" aria-labelledby="placement-setup">
      <h2 id="placement-setup">{p.setting.heading}</h2>
      <Source />
      <Gpu />
      <Model />
      {Object.keys(store.scenario.value.set).length > 0 && <p class="quiet">{p.setting.cacheParameters}</p>}
      <button type="button" class="primary run" disabled={activity.value !== null} onClick={() => void run()}>
        {p.setting.rerun}
      </button>
    </section>
  );
}

function Source() {
  const source = store.source.value;
  const { kernel } = settings.value;
  const kernels = input.value?.kernels ?? [];
  const most = kernels.slice().sort((a, b) => b.accesses - a.accesses)[0];
  return (
    <>
      <div class="drop-zone">
        <OpenButton>{p.source.open}</OpenButton>
        <p class="quiet formats">{p.source.formats}</p>
      </div>
      <div class="field">
        <label for="example">{p.source.example}</label>
        <select
          id="example"
          value={source?.example ?? ''}
          onChange={(e) => e.currentTarget.value && void openExample(e.currentTarget.value)}
        >
          {!source?.example && <option value="">{p.source.files}</option>}
          {store.examples.map((e) => (
            <option key={e.id} value={e.id}>
              {say(e.title)}
            </option>
          ))}
        </select>
        {source && source.files.length > 0 && (
          <p class="quiet file-name">{source.files.map((f) => f.name).join(', ')}</p>
        )}
      </div>
      {kernels.length > 1 && (
        <div class="field">
          <label for="placement-kernel">{p.setting.kernel}</label>
          <select
            id="placement-kernel"
            value={String(kernel)}
            onChange={(e) => {
              for (const key of ['from', 'look']) change(key, null);
              change('kernel', e.currentTarget.value === '0' ? null : e.currentTarget.value);
            }}
          >
            {most && <option value="0">{p.setting.heaviest(shortName(most.name))}</option>}
            {kernels.map((k) => (
              <option key={k.number} value={String(k.number)}>{`${k.number} ${shortName(k.name)}`}</option>
            ))}
          </select>
        </div>
      )}
    </>
  );
}

function Gpu() {
  const shared = store.scenario.value.gpu;
  const file = store.intake.value?.topology ?? null;
  return (
    <div class="field">
      <Term id="placement">
        <span id="placement-gpu-label">{p.setting.gpu}</span>
      </Term>
      <select
        id="placement-gpu"
        aria-labelledby="placement-gpu-label"
        value={settings.value.gpu ?? ''}
        onChange={(e) => change('gpu', e.currentTarget.value || null)}
      >
        <option value="">{p.setting.sameGpu(gpuName(shared))}</option>
        {file !== null && <option value="file">{file}</option>}
        {store.presets.map((preset) => (
          <option key={preset.id} value={preset.id}>
            {preset.name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** On a small screen these fold away, so that the answer is in sight. */
function Model() {
  const { model, queue, without } = settings.value;
  const own = p.setting.queues[model === 'paper' ? 'seed' : 'lindley'] as string;
  // Open at first where a link changed something in it, and then as the person leaves it.
  const [open] = useState(model === 'paper' || queue !== null || without.length > 0);
  return (
    <details class="parameters" open={open}>
      <summary>{p.setting.advanced}</summary>
      <div class="model">
        <div class="field">
          <label for="placement-model">{p.setting.model}</label>
          <select
            id="placement-model"
            value={model}
            aria-describedby="placement-model-help"
            onChange={(e) => change('model', e.currentTarget.value === 'paper' ? 'paper' : null)}
          >
            {Object.entries(p.setting.models).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <p class="quiet" id="placement-model-help">
            {p.setting.modelHelp[model]}
          </p>
        </div>
        {model === 'paper' && <Printed />}
        <div class="field">
          <label for="placement-queue">{p.setting.queue}</label>
          <select
            id="placement-queue"
            value={queue ?? ''}
            onChange={(e) => change('queue', e.currentTarget.value || null)}
          >
            <option value="">{p.setting.queues.own(own)}</option>
            {QUEUES.map((name) => (
              <option key={name} value={name}>
                {p.setting.queues[name] as string}
              </option>
            ))}
          </select>
        </div>
        <fieldset class="ablations" aria-describedby="placement-without">
          <legend>{p.setting.without}</legend>
          <p class="quiet" id="placement-without">
            {p.setting.withoutHint}
          </p>
          {PARTS.map((part) => (
            <label class="check" key={part}>
              <input
                type="checkbox"
                checked={without.includes(part)}
                onChange={(e) =>
                  change(
                    'without',
                    PARTS.filter((one) => (one === part ? e.currentTarget.checked : without.includes(one))).join(',') ||
                      null,
                  )
                }
              />
              <span>
                {p.setting.parts[part]} <span class="quiet">{p.setting.partHelp[part]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </div>
    </details>
  );
}
