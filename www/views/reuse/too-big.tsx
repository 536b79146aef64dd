// Said before the run, not after the crash.

import { copyCommand } from '../../app/output';
import * as store from '../../app/store';
import { Section } from '../../components/section';
import { r } from '../../content/reuse';
import { terminalCommand } from './settings';
import { input, settings, tooBig } from './state';

export function TooBig() {
  const now = tooBig.value;
  if (!now) return null;
  const source = store.source.value;
  const names =
    settings.value.input === 'trace'
      ? (source?.files ?? []).map((f) => f.name)
      : settings.value.files.map((f) => f.name);
  const known = settings.value.input === 'trace' || settings.value.input === 'files' ? input.value?.line_bytes : 1;
  const line = settings.value.line ?? known ?? 64;
  const command = terminalCommand(
    settings.value,
    names,
    line,
    settings.value.input === 'trace' ? (source?.example ?? null) : null,
    store.scenario.value.cuda,
  );
  return (
    <Section title={r.tooBig.heading} class="too-big">
      <p>{r.tooBig[now.work](now.bytes)}</p>
      {command === null ? (
        <p>{r.tooBig.none}</p>
      ) : (
        <pre tabIndex={0}>
          <code>{command}</code>
        </pre>
      )}
      <p class="buttons">
        {command !== null && (
          <button type="button" onClick={() => void copyCommand(command)}>
            {r.tooBig.copy}
          </button>
        )}
        <button type="button" onClick={now.go}>
          {r.tooBig.anyway}
        </button>
      </p>
    </Section>
  );
}
