// The number of a line of code. A line of CUDA text that is at hand is a way to it.

import { intake, source } from '../app/store';
import { openLine } from '../app/tabs';
import { s } from '../content/strings';

export function SourceLine({ line }: { line: number | null }) {
  if (line === null) return <>–</>;
  const text = source.value?.example ?? intake.value?.files.find((file) => file.read_as === 'cuda');
  if (!text) return <>{line}</>;
  return (
    <button type="button" class="link-button" aria-label={s.instructions.goTo(line)} onClick={() => openLine(line)}>
      {line}
    </button>
  );
}
