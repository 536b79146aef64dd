// Draws a seed by chance.

import { engine, safely } from '../app/session';
import { s } from '../content/strings';

/** `label` stands on the button; without one it shows a die. */
export function DrawSeed({ label, take }: { label?: string; take: (seed: number) => unknown }) {
  const draw = () => void safely(async () => void take(await engine.drawSeed()));
  if (label !== undefined) {
    return (
      <button type="button" onClick={draw}>
        {label}
      </button>
    );
  }
  return (
    <button type="button" class="round" aria-label={s.settings.drawSeed} title={s.settings.drawSeed} onClick={draw}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        <path
          fill="currentColor"
          fill-rule="evenodd"
          d="M3 1h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm1.8 2.6a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zm6.4 0a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM8 6.8a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM4.8 10a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zm6.4 0a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4z"
        />
      </svg>
    </button>
  );
}
