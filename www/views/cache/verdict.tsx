// The answer first, in words, with the bar that it sums up.

import { copyLink } from '../../app/output';
import type { Result } from '../../app/store';
import { ClassBar } from '../../components/class-bar';
import { Fact } from '../../components/fact';
import { count, dimensions, percent } from '../../content/format';
import { s } from '../../content/strings';
import type { CacheReport, KernelReport } from '../../engine/types';
import { Reproduced } from './reproduced';

interface Props {
  result: Result;
  report: CacheReport;
  kernel: KernelReport;
}

export function Verdict({ result, report, kernel }: Props) {
  return (
    <section class="card verdict" aria-labelledby="verdict-title">
      <div class="card-head">
        <h2 id="verdict-title">
          <span class="eyebrow">{s.verdict.heading}</span>{' '}
          <span class="kernel-name" title={kernel.name}>
            {kernel.name}
          </span>{' '}
          <span class="quiet">{s.verdict.of(report.gpu, report.model)}</span>
        </h2>
        <span class="verdict-tools">
          {result.reproduced && <Reproduced result={result} />}
          <button type="button" onClick={() => void copyLink()}>
            {s.export.link}
          </button>
        </span>
      </div>
      {result.reproduced === false && <Reproduced result={result} />}
      <p class="sentence" data-testid="verdict">
        {s.verdict.sentence(kernel)}
      </p>
      <ClassBar parts={{ ...kernel.misses, hits: kernel.hits }} requests={kernel.requests} />
      <p class="meaning">{s.verdict.meaning(kernel)}</p>
      <dl class="facts">
        <Fact term="request" name={s.verdict.requests} value={count(kernel.requests)} />
        <Fact term="miss_rate" name={s.verdict.missRate} value={percent(kernel.miss_rate)} />
        <Fact term="tick" name={s.verdict.ticks} value={count(kernel.ticks)} />
        <Fact name={s.verdict.grid} value={dimensions(kernel.grid)} />
        <Fact name={s.verdict.block} value={dimensions(kernel.block)} />
      </dl>
    </section>
  );
}
