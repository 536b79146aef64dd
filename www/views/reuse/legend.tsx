// What the lines of a chart are: a sample of each, and its name.

import { r } from '../../content/reuse';
import type { Tone } from '../../engine/reuse/protocol';

export function Legend({ tones }: { tones: Tone[] }) {
  return (
    <ul class="legend">
      {tones.map((tone) => (
        <li key={tone}>
          <span class={`line-sample ${tone}`} aria-hidden="true" />
          {r.compare.legend[tone]}
        </li>
      ))}
    </ul>
  );
}
