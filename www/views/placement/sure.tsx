// How far the numbers can be trusted, and training them on one's own measurements.

import { useRef } from 'preact/hooks';
import { gpuName } from '../../app/gpu-name';
import { save } from '../../app/output';
import { Folded } from '../../components/section';
import { p } from '../../content/placement';
import { forgetTrained, takeFiles, trainOnMachine } from './actions';
import { activity, gpu, input, settings, trained, wantedOverlap } from './state';

export function Sure() {
  const picker = useRef<HTMLInputElement>(null);
  const own = trained.value;
  const { model } = settings.value;
  return (
    <Folded title={p.sure.heading} class="sure" name="sure">
      <p>{model === 'paper' ? p.sure.printed : p.sure.hardware(gpuName(gpu.value))}</p>
      {model === 'paper' && own && (
        <p data-testid="trained">
          {p.sure.trained(own.error, own.untrained, own.rows, own.kernels)} {p.sure.own}{' '}
          <span class="quiet">{p.sure.provenance(own.provenance)}</span>
        </p>
      )}
      {wantedOverlap.value !== null && <p class="banner">{p.sure.wanted(wantedOverlap.value)}</p>}
      <h3>{p.sure.retrain}</h3>
      <p class="hint">{p.sure.retrainHint}</p>
      <p class="buttons">
        <input
          ref={picker}
          type="file"
          accept=".csv,.json,.txt"
          hidden
          aria-label={p.sure.pick}
          onChange={(e) => {
            const files = [...(e.currentTarget.files ?? [])];
            e.currentTarget.value = '';
            void takeFiles(files);
          }}
        />
        <button type="button" onClick={() => picker.current?.click()}>
          {p.sure.pick}
        </button>
        <button
          type="button"
          disabled={activity.value !== null || (input.value?.kernels.length ?? 0) < 3}
          onClick={() => void trainOnMachine()}
        >
          {p.sure.machine}
        </button>
        {own && (
          <button type="button" onClick={() => save('overlap.json', 'application/json', own.json)}>
            {p.sure.save}
          </button>
        )}
        {own && (
          <button type="button" onClick={forgetTrained}>
            {p.sure.forget}
          </button>
        )}
      </p>
    </Folded>
  );
}
