// The roofline and the work of each core, folded away. Their code comes when one is opened.

import { Fold } from '../../../components/fold';
import { Lazy } from '../../../components/lazy';
import { g } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';

const charts = () => import(/* webpackChunkName: 'folds' */ './roofline');
const roofline = () => charts().then((module) => module.Roofline);
const cores = () => charts().then((module) => module.Cores);

export function GpuRooflineFold(props: { kernel: GpuKernelReport; index: number }) {
  return (
    <Fold title={g.roofline.heading} name="roofline">
      <Lazy load={roofline} props={props} />
    </Fold>
  );
}

export function GpuCoresFold(props: { kernel: GpuKernelReport; index: number; cores: number }) {
  if (props.kernel.rows.cores.length === 0) return null;
  return (
    <Fold title={g.cores.heading} name="cores">
      <Lazy load={cores} props={props} />
    </Fold>
  );
}
