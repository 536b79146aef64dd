// The answer first, in words, with the bar that it sums up.

import { comparing } from '../../app/baseline';
import { gpuName } from '../../app/gpu-name';
import type { Result } from '../../app/store';
import { ClassBar } from '../../components/class-bar';
import { Fact } from '../../components/fact';
import { bytes, count, dimensions, mean, percent } from '../../content/format';
import { s } from '../../content/strings';
import { perInstruction } from '../../content/shares';
import type { CacheReport, KernelReport, Work } from '../../engine/types';
import { Advice } from './advice';
import { SureRange } from './sure-fold';
import { VerdictCard } from './verdict-card';

interface Props {
  result: Result;
  report: CacheReport;
  kernel: KernelReport;
}

export function Verdict({ result, report, kernel }: Props) {
  const before = comparing.value?.l1;
  return (
    <VerdictCard
      result={result}
      name={kernel.name}
      of={s.verdict.of(gpuName(result.scenario.gpu), report.model)}
      sentence={s.verdict.sentence(kernel)}
    >
      <ClassBar
        parts={{ ...kernel.misses, hits: kernel.hits }}
        requests={kernel.requests}
        base={before ? { parts: { ...before.misses, hits: before.hits }, requests: before.requests } : null}
      />
      <p class="meaning">{s.verdict.meaning(kernel)}</p>
      <SureRange result={result} />
      {kernel.work && <Advice work={kernel.work} />}
      <dl class="facts">
        <Fact term="request" name={s.verdict.requests} value={count(kernel.requests)} />
        {kernel.work && <WorkFacts work={kernel.work} />}
        <Fact term="miss_rate" name={s.verdict.missRate} value={percent(kernel.miss_rate)} />
        <Fact term="tick" name={s.verdict.ticks} value={count(kernel.ticks)} />
        <Fact name={s.verdict.grid} value={dimensions(kernel.grid)} />
        <Fact name={s.verdict.block} value={dimensions(kernel.block)} />
      </dl>
    </VerdictCard>
  );
}

function WorkFacts({ work }: { work: Work }) {
  const { asked, least } = perInstruction(work.loads);
  return (
    <>
      <Fact term="requests_per_load" name={s.verdict.perLoad} value={mean(asked)} />
      <Fact term="least_requests" name={s.verdict.least} value={mean(least)} />
      <Fact term="l1_fetched" name={s.verdict.fetched} value={bytes(work.l1_bytes)} />
      <Fact term="least_bytes" name={s.verdict.leastBytes} value={bytes(work.least_bytes)} />
    </>
  );
}
