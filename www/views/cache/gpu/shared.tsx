// The launch, occupancy, shared memory, and what only hardware counters count.

import type { ComponentChildren } from 'preact';
import { Fact } from '../../../components/fact';
import { Folded } from '../../../components/section';
import { count, dimensions, percent } from '../../../content/format';
import { g } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';

interface Props {
  kernel: GpuKernelReport;
  /** What stands below the facts. */
  children: ComponentChildren;
}

export function GpuShared({ kernel, children }: Props) {
  const n = kernel.gpu;
  return (
    <Folded title={g.shared.heading} name="shared" brief={g.shared.brief(n)}>
      <dl class="facts plain-facts">
        <Fact name={g.facts.grid} value={dimensions(kernel.grid)} />
        <Fact name={g.facts.block} value={dimensions(kernel.block)} />
        <Fact term="warp_instruction" name={g.facts.instructions} value={count(n.instructions)} />
        <Fact term="cycle" name={g.facts.cycles} value={count(n.cycles)} />
        <Fact term="wavefront" name={g.shared.loads} value={count(n.shared.load_wavefronts)} />
        <Fact term="wavefront" name={g.shared.stores} value={count(n.shared.store_wavefronts)} />
        <Fact term="occupancy" name={g.shared.occupancy} value={percent(n.occupancy)} />
        <Fact term="working_cores" name={g.shared.cores} value={count(n.working_cores)} />
        <Fact term="counted_sectors" name={g.shared.counted} value={count(n.l1.accesses)} />
        <Fact term="atomic_sectors" name={g.shared.atomics} value={count(n.l2.atomics)} />
      </dl>
      {children}
    </Folded>
  );
}
