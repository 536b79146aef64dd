// The answer of the model `gpu`: work first, then what moves, what is busy, and what hits.

import { gpuName } from '../../../app/gpu-name';
import type { Result } from '../../../app/store';
import { Fact } from '../../../components/fact';
import { Term } from '../../../components/term';
import { timeError } from '../../../content/accuracy';
import { bytes, count, mean, percent } from '../../../content/format';
import { busiestPart, g, gpuMeaning, gpuSentence, perLoad, SECTOR, time } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';
import { Advice } from '../advice';
import { VerdictCard } from '../verdict-card';

interface Props {
  result: Result;
  /** Of the GPU. */
  cores: number;
  kernel: GpuKernelReport;
}

export function GpuHeadline({ result, cores, kernel }: Props) {
  const n = kernel.gpu;
  const { gpu, set } = result.scenario;
  const { sectors, least } = perLoad(n);
  return (
    <VerdictCard result={result} name={kernel.name} of={g.of(gpuName(gpu))} sentence={gpuSentence(n, kernel.work)}>
      <p class="meaning">{gpuMeaning(n, kernel.work, cores)}</p>
      <Advice work={kernel.work} />
      {n.sampled !== null && <p class="meaning">{g.sampled(n.sampled)}</p>}
      <dl class="facts">
        <Fact term="gpu_time" name={g.facts.time} value={time(n.seconds)}>
          <Term id="time_error">{timeError(gpu, Object.keys(set).length > 0)}</Term>
        </Fact>
        <Fact term="warp_load" name={g.facts.loads} value={count(n.l1.requests)} />
        <Fact term="sectors_per_load" name={g.facts.perLoad} value={mean(sectors)} />
        <Fact term="least_sectors" name={g.facts.least} value={mean(least)} />
        <Fact term="l2_to_l1" name={g.facts.l2ToL1} value={bytes(SECTOR * n.l2.reads)} />
        <Fact term="least_bytes" name={g.facts.leastBytes} value={bytes(kernel.work.least_bytes)} />
        <Fact term="dram_to_l2" name={g.facts.dramToL2} value={bytes(SECTOR * n.dram.reads)} />
        <Fact term="busiest" name={g.facts.busiest} value={g.busy(busiestPart(n), n)} />
        <Fact term="l1_hit_rate" name={g.facts.l1} value={percent(n.l1.hits / n.l1.sectors)} />
        <Fact term="l2_hit_rate" name={g.facts.l2} value={percent(n.l2.read_hits / n.l2.reads)} />
      </dl>
    </VerdictCard>
  );
}
