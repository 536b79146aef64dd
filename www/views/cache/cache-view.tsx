// The result of a run, the most telling part first: the whole GPU, or why accesses missed in one L1.

import { busy, kernel, result } from '../../app/store';
import { Later } from '../../components/later';
import { Lazy } from '../../components/lazy';
import { Changed } from './changed';
import { GpuView } from './gpu/gpu-view';
import { Stale } from './stale';
import { SureFold } from './sure-fold';
import { SweepFold } from './sweep-fold';

/** The page opens with the whole GPU; the other view comes when it is asked for. */
const l1View = () => import(/* webpackChunkName: 'l1' */ './l1-view').then((module) => module.L1View);

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
        <Lazy load={l1View} props={{ result: shown, report: shown.report, index }} />
      )}
      <Later>
        <SureFold result={shown} />
        <SweepFold />
      </Later>
    </div>
  );
}
