// Parameters that differ from those of the GPU, above the answer that depends on them, each with the way back.

import { setParameter } from '../../app/actions';
import { errorOf } from '../../app/refused';
import { diagnostics, parameters, scenario } from '../../app/store';
import { parameterWords } from '../../content/parameters';
import { s } from '../../content/strings';

export function Changed() {
  const changed = Object.entries(scenario.value.set);
  if (changed.length === 0) return null;
  return (
    <ul class="chips" aria-label={s.settings.changedList}>
      {changed.map(([key, value]) => {
        // A key that no parameter has, such as `sms`, goes back by leaving it out.
        const known = parameters.value.find((p) => p.key === key);
        const label = known?.label ?? key;
        const reset = () => {
          document.getElementById('result')?.focus({ preventScroll: true });
          void setParameter(known ?? { key, value: '' }, known?.value ?? '');
        };
        return (
          <li key={key} class="chip">
            {s.settings.chip(label, value, known?.value ?? '')}
            {errorOf(key, diagnostics.value) && <span class="badge error">{parameterWords.refused}</span>}
            <button
              type="button"
              class="quiet-button"
              aria-label={s.settings.resetOf(label)}
              title={s.settings.resetOf(label)}
              onClick={reset}
            >
              ×
            </button>
          </li>
        );
      })}
    </ul>
  );
}
