// Said before the run, not after the crash.

import { rerun } from '../../../app/actions';
import { copyCommand } from '../../../app/output';
import { terminalCommand } from '../../../app/scenario';
import { result, scenario } from '../../../app/store';
import { Section } from '../../../components/section';
import { s } from '../../../content/strings';

export function TooBig({ need }: { need: number }) {
  const command = terminalCommand(scenario.value);
  return (
    <Section title={s.memory.heading} class="too-big">
      <p>{s.memory.text(need)}</p>
      {result.value && <p class="quiet">{s.memory.before}</p>}
      <pre tabIndex={0}>
        <code>{command}</code>
      </pre>
      <p class="buttons">
        <button type="button" onClick={() => void copyCommand(command)}>
          {s.memory.copy}
        </button>
        <button type="button" onClick={() => void rerun()}>
          {s.memory.anyway}
        </button>
      </p>
    </Section>
  );
}
