// A link that needs files: which ones, and where to put them.

import { openExample, useAnyway } from '../app/sources';
import { examples, mismatch, wanted } from '../app/store';
import { OpenButton } from './file-input';
import { Section } from './section';
import { s } from '../content/strings';

export function WantedFiles() {
  const list = wanted.value;
  const first = examples[0]?.id;
  const drop = () => {
    wanted.value = [];
    if (first !== undefined) void openExample(first);
  };
  return (
    <Section title={s.wanted.heading(list.length)} class="wanted">
      <p>{s.wanted.text}</p>
      <ul>
        {list.map((f) => (
          <li key={f.sha256}>
            <strong>{f.name}</strong>, {s.wanted.item(f)} <code class="sha">{f.sha256}</code>
          </li>
        ))}
      </ul>
      {mismatch.value.length > 0 && (
        <div role="alert" class="mismatch">
          <p>{s.wanted.mismatch}</p>
          <ul>
            {mismatch.value.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </div>
      )}
      <p class="buttons">
        <OpenButton primary>{s.wanted.open}</OpenButton>
        {mismatch.value.length > 0 && (
          <button type="button" onClick={() => void useAnyway()}>
            {s.wanted.use}
          </button>
        )}
        <button type="button" onClick={drop}>
          {s.wanted.example}
        </button>
      </p>
    </Section>
  );
}
