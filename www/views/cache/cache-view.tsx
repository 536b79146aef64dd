// The result of a run: why accesses missed, the most telling part first.

import { withNames } from '../../app/scenario';
import { arrayNames, busy, kernel, result } from '../../app/store';
import { Later } from '../../components/later';
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
      <Later>
        <Arrays key={`a${index}`} kernel={k} />
      </Later>
      <Later>
        <Histogram kernel={k} index={index} parameters={shown.report.parameters} />
      </Later>
      <Later>
        <Instructions key={`i${index}`} kernel={k} />
      </Later>
      <Later>
        <Kinds kernel={k} />
      </Later>
      <Later>
        <Sets kernel={k} index={index} />
      </Later>
      <Later>
        <Timeline kernel={k} index={index} />
      </Later>
      <Later>
        <Cores kernel={k} />
      </Later>
      <Later>
        <Notes notes={shown.report.notes} />
        <Export result={shown} index={index} />
      </Later>
    </div>
  );
}
