// A link that needs an address stream: which one, and where to put it.

import { OpenButton } from '../../components/file-input';
import { Section } from '../../components/section';
import { r } from '../../content/reuse';
import { wanted } from './state';

export function Wanted() {
  if (wanted.value.length === 0) return null;
  return (
    <Section title={r.wanted.heading} class="wanted">
      <p>{r.wanted.text}</p>
      <ul>
        {wanted.value.map((f) => (
          <li key={f.sha256}>
            <strong>{f.name}</strong>, {r.wanted.item(f.size)} <code class="sha">{f.sha256}</code>
          </li>
        ))}
      </ul>
      <p class="buttons">
        <OpenButton primary>{r.input.open}</OpenButton>
      </p>
    </Section>
  );
}
