// Shared memory, occupancy, and what only hardware counters count.

import { Fact } from '../../../components/fact';
import { Section } from '../../../components/section';
import { count, percent } from '../../../content/format';
import { g } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';
import { GpuCoresFold } from './folds';

export function GpuShared({ kernel, index, cores }: { kernel: GpuKernelReport; index: number; cores: number }) {
  const n = kernel.gpu;
  return (
    <Section title={g.shared.heading}>
      <dl class="facts plain-facts">
        <Fact term="wavefront" name={g.shared.loads} value={count(n.shared.load_wavefronts)} />
        <Fact term="wavefront" name={g.shared.stores} value={count(n.shared.store_wavefronts)} />
        <Fact term="occupancy" name={g.shared.occupancy} value={percent(n.occupancy)} />
        <Fact term="working_cores" name={g.shared.cores} value={count(n.working_cores)} />
        <Fact term="counted_sectors" name={g.shared.counted} value={count(n.l1.accesses)} />
        <Fact term="atomic_sectors" name={g.shared.atomics} value={count(n.l2.atomics)} />
      </dl>
      <GpuCoresFold kernel={kernel} index={index} cores={cores} />
    </Section>
  );
}
