// The drop report, folded: the verdict comes first, what is in the files is one click away.

import { memoryInstructions } from '../../../app/scenario';
import { estimate, intake, msPerInstruction, refused, scenario, source } from '../../../app/store';
import { s } from '../../../content/strings';
import { ArrayNames } from './arrays';
import { Ask } from './ask';
import { Files } from './files';
import { KernelChoice } from './kernels';

export function ContentsView() {
  return (
    <>
      <Refused />
      <Held />
    </>
  );
}

/** Nothing came of these files, perhaps because they were taken for something else. */
function Refused() {
  if (!refused.value) return null;
  const { source, intake } = refused.value;
  // A stream is a good file, and another tab takes it.
  const streams = intake.files.some((file) => file.role === 'address stream');
  return (
    <>
      <Ask files={intake.files} source={source} />
      <details class="card contents">
        <summary>
          <h2>{streams ? s.contents.streamHeading : s.contents.refusedHeading}</h2>{' '}
          <span class="quiet">{s.contents.summary(intake.files.length, 0)}.</span>
        </summary>
        <Files files={intake.files} source={source} />
      </details>
    </>
  );
}

function Held() {
  const held = intake.value;
  if (!held || !source.value || source.value.files.length === 0) return null;
  const pace = msPerInstruction.value;
  const time = pace === null ? '' : s.contents.time(pace * memoryInstructions(held, scenario.value.kernels));
  return (
    <>
      {!refused.value && <Ask files={held.files} source={source.value} />}
      <details class="card contents">
        <summary>
          <h2>{s.contents.heading}</h2>{' '}
          <span class="quiet">
            {s.contents.summary(held.files.length, held.kernels.length + held.long_launches)}.{' '}
            {s.contents.estimate(estimate.value ?? held.memory_bytes, time)}
          </span>
        </summary>
        <Files files={held.files} source={source.value} />
        {held.kernels.length > 0 && <KernelChoice kernels={held.kernels} />}
        <ArrayNames kernels={held.kernels} />
      </details>
    </>
  );
}
