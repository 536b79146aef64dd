// The answer first, in words, with the bar that it sums up.

import type { Result } from '../../app/store';
import { ClassBar } from '../../components/class-bar';
import { Fact } from '../../components/fact';
import { count, dimensions, percent } from '../../content/format';
import { s } from '../../content/strings';
import type { CacheReport, KernelReport } from '../../engine/types';
import { VerdictCard } from './verdict-card';

interface Props {
  result: Result;
  report: CacheReport;
  kernel: KernelReport;
}

export function Verdict({ result, report, kernel }: Props) {
  return (
    <VerdictCard
      result={result}
      name={kernel.name}
      of={s.verdict.of(report.gpu, report.model)}
      sentence={s.verdict.sentence(kernel)}
    >
      <ClassBar parts={{ ...kernel.misses, hits: kernel.hits }} requests={kernel.requests} />
      <p class="meaning">{s.verdict.meaning(kernel)}</p>
      <dl class="facts">
        <Fact term="request" name={s.verdict.requests} value={count(kernel.requests)} />
        <Fact term="miss_rate" name={s.verdict.missRate} value={percent(kernel.miss_rate)} />
        <Fact term="tick" name={s.verdict.ticks} value={count(kernel.ticks)} />
        <Fact name={s.verdict.grid} value={dimensions(kernel.grid)} />
        <Fact name={s.verdict.block} value={dimensions(kernel.block)} />
      </dl>
    </VerdictCard>
  );
}
