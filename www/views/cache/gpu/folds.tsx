// The roofline, the work of each core and why loads miss, folded away. Their code comes when one is opened.

import { Fold } from '../../../components/fold';
import { Lazy } from '../../../components/lazy';
import { Folded } from '../../../components/section';
import { g } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';

const charts = () => import(/* webpackChunkName: 'folds' */ './roofline');
const roofline = () => charts().then((module) => module.Roofline);
const why = () => import(/* webpackChunkName: 'gpu-rows' */ './classes').then((module) => module.GpuWhy);
const cores = () => charts().then((module) => module.Cores);

export function GpuRooflineFold(props: { kernel: GpuKernelReport; index: number }) {
  return (
    <Fold title={g.roofline.heading} name="roofline">
      <Lazy load={roofline} props={props} />
    </Fold>
  );
}

interface CoreProps {
  kernel: GpuKernelReport;
  index: number;
  /** Of the GPU. */
  cores: number;
  /** What the kernel on show counts, if it is a part. */
  part: GpuKernelReport | null;
}

export function GpuCoresFold(props: CoreProps) {
  if (props.kernel.rows.cores.length === 0) return null;
  return (
    <Fold title={g.cores.heading} name="cores">
      <Lazy load={cores} props={props} />
    </Fold>
  );
}

export function GpuWhyFold(props: { kernel: GpuKernelReport }) {
  return (
    <Folded title={g.why.heading} class="why" name="why">
      <Lazy load={why} props={props} />
    </Folded>
  );
}
