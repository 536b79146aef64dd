// The result of a run, the most telling part first: the whole GPU, or why accesses missed in one L1.

import { countsOf, only } from '../../app/filter';
import type { Part } from '../../app/only';
import { withNames } from '../../app/scenario';
import { arrayNames, busy, kernel, result, type Result } from '../../app/store';
import { Later } from '../../components/later';
import { FoldAll } from '../../components/section';
import type { CacheReport } from '../../engine/types';
import { Arrays } from './arrays';
import { Changed } from './changed';
import { Cores } from './cores';
import { Export } from './export';
import { GpuView } from './gpu/gpu-view';
import { Histogram } from './histogram';
import { Instructions } from './instructions';
import { Kernels } from './kernels';
import { Kinds } from './kinds';
import { Notes } from './notes';
import { OnlyChip } from './only';
import { Sets } from './sets';
import { Stale } from './stale';
import { SureFold } from './sure-fold';
import { SweepFold } from './sweep-fold';
import { Timeline } from './timeline';
import { Verdict } from './verdict';
import { WhyFold } from './why-fold';

export function CacheView() {
  const shown = result.value;
  const index = kernel.value ?? 0;
  if (!shown) return null;
  return (
    <div class="cache-view" aria-busy={busy.value}>
      <Stale />
      <Changed />
      {shown.report.model === 'gpu' ? (
        <GpuView result={shown} report={shown.report} index={index} />
      ) : (
        <L1View result={shown} report={shown.report} index={index} />
      )}
      <Later>
        <SureFold result={shown} />
        <SweepFold />
      </Later>
    </div>
  );
}

/** The result of a model of one L1. */
function L1View({ result: shown, report, index }: { result: Result; report: CacheReport; index: number }) {
  const plain = report.kernels[index];
  if (!plain) return null;
  const k = withNames(plain, arrayNames.value);
  const counts = countsOf(plain);
  const named = counts && withNames(counts, arrayNames.value);
  // What is picked stays among its own kind; everything else shows its counts.
  const of = (...own: Part[]) => (named && !own.some((part) => part === only.value?.part) ? named : k);
  const part = (...own: Part[]) => (of(...own) === k ? null : counts);
  return (
    <>
      <Verdict result={shown} report={report} kernel={k} />
      {report.kernels.length > 1 && <Kernels kernels={report.kernels} total={report.total} chosen={index} />}
      <Later>
        <OnlyChip kernel={k} counts={counts} />
        <Arrays key={`a${index}`} kernel={of('array')} />
      </Later>
      <Later>
        <Histogram kernel={of('distance')} part={part('distance')} index={index} parameters={report.parameters} />
      </Later>
      <FoldAll />
      <Later>
        <WhyFold report={report} number={plain.number} />
        <Instructions key={`i${index}`} kernel={of('line', 'pc')} />
      </Later>
      <Later>
        <Kinds kernel={k} />
      </Later>
      <Later>
        <Sets kernel={of('set')} part={part('set')} index={index} />
      </Later>
      <Later>
        <Timeline kernel={of()} part={part()} index={index} />
      </Later>
      <Later>
        <Cores kernel={of()} />
      </Later>
      <Later>
        <Notes notes={report.notes} />
        <Export result={shown} index={index} />
      </Later>
    </>
  );
}
