// What the printed model is given: measurements of the sample placement, and choices where the paper is open.

import { setView } from '../../app/tabs';
import { KeptInput } from '../../components/kept-input';
import { p } from '../../content/placement';
import { MEASURED, RULES } from './settings';
import { settings } from './state';

const change = (key: string, value: string | null) => setView(`placement.${key}`, value);

function Quantity({ name, label, value, hint }: { name: string; label: string; value: number | null; hint?: string }) {
  return (
    <div class="field">
      <label for={`placement-${name}`}>{label}</label>
      <KeptInput
        id={`placement-${name}`}
        type="number"
        min="0"
        step="any"
        inputMode="decimal"
        value={value ?? ''}
        aria-describedby={hint ? `placement-${name}-hint` : undefined}
        onChange={(e) => change(name, e.currentTarget.value.trim() || null)}
      />
      {hint && (
        <p class="quiet" id={`placement-${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function Printed() {
  const { sample, rule, gamma, cycleArrivals } = settings.value;
  return (
    <>
      <fieldset class="ablations" aria-describedby="placement-sample-hint">
        <legend>{p.printed.sample}</legend>
        <p class="quiet" id="placement-sample-hint">
          {p.printed.sampleHint}
        </p>
        {MEASURED.map((key) => (
          <Quantity key={key} name={key} label={p.printed.measured[key]} value={sample[key]} />
        ))}
      </fieldset>
      <fieldset class="ablations" aria-describedby="placement-open-hint">
        <legend>{p.printed.open}</legend>
        <p class="quiet" id="placement-open-hint">
          {p.printed.openHint}
        </p>
        <div class="field">
          <label for="placement-rule">{p.printed.rule}</label>
          <select
            id="placement-rule"
            value={rule ?? ''}
            onChange={(e) => change('rule', e.currentTarget.value || null)}
          >
            <option value="">{p.printed.rules.own}</option>
            {RULES.map((name) => (
              <option key={name} value={name}>
                {p.printed.rules[name]}
              </option>
            ))}
          </select>
        </div>
        <Quantity name="gamma" label={p.printed.gamma} value={gamma} hint={p.printed.gammaHint} />
        <label class="check">
          <input
            type="checkbox"
            checked={cycleArrivals}
            onChange={(e) => change('arrivals', e.currentTarget.checked ? 'cycle' : null)}
          />
          <span>{p.printed.cycle}</span>
        </label>
      </fieldset>
    </>
  );
}
