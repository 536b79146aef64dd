// The Cache tab: why accesses missed, the most telling part first.

import { withNames } from '../../app/scenario';
import { arrayNames, busy, kernel, result } from '../../app/store';
import { Arrays } from './arrays';
import { Cores } from './cores';
import { Export } from './export';
import { Histogram } from './histogram';
import { Instructions } from './instructions';
import { Kernels } from './kernels';
import { Kinds } from './kinds';
import { Notes } from './notes';
import { Sets } from './sets';
import { Stale } from './stale';
import { Timeline } from './timeline';
import { Verdict } from './verdict';

export function CacheView() {
  const shown = result.value;
  const index = kernel.value ?? 0;
  const plain = shown?.report.kernels[index];
  if (!shown || !plain) return null;
  const k = withNames(plain, arrayNames.value);
  return (
    <div class="cache-view" aria-busy={busy.value}>
      <Stale />
      <Verdict result={shown} kernel={k} />
      {shown.report.kernels.length > 1 && (
        <Kernels kernels={shown.report.kernels} total={shown.report.total} chosen={index} />
      )}
      <Arrays key={`a${index}`} kernel={k} />
      <Histogram kernel={k} index={index} parameters={shown.report.parameters} />
      <Instructions key={`i${index}`} kernel={k} />
      <Kinds kernel={k} />
      <Sets kernel={k} index={index} />
      <Timeline kernel={k} index={index} />
      <Cores kernel={k} />
      <Notes notes={shown.report.notes} />
      <Export result={shown} index={index} />
    </div>
  );
}
