// The result of the model `gpu`: time and work first, then where the bytes go and what the warps wait for.

import { useEffect } from 'preact/hooks';
import { countsOf, only, startFilter } from '../../../app/filter';
import type { Part } from '../../../app/only';
import type { Result } from '../../../app/store';
import { Later } from '../../../components/later';
import { Lazy } from '../../../components/lazy';
import { FoldAll } from '../../../components/section';
import type { GpuReport } from '../../../engine/types';
import { Export } from '../export';
import { Notes } from '../notes';
import { WhyFold } from '../why-fold';
import { GpuFlow } from './flow';
import { GpuCoresFold, GpuWhyFold } from './folds';
import { GpuHeadline } from './headline';
import { GpuKernels } from './kernels';
import { partWords } from './part-words';
import { GpuArrays, GpuInstructions } from './rows';
import { GpuShared } from './shared';
import { GpuParts, GpuStalls } from './stalls';

const chip = () => import(/* webpackChunkName: 'gpu-rows' */ './part').then((module) => module.PartChip);
const measured = () => import(/* webpackChunkName: 'measured' */ './measured').then((module) => module.GpuMeasured);

export function GpuView({ result, report, index }: { result: Result; report: GpuReport; index: number }) {
  useEffect(startFilter, []);
  const kernel = report.kernels[index];
  if (!kernel) return null;
  const { profile } = result.intake;
  const counts = countsOf(kernel);
  const words = only.value ? partWords.value : null;
  // What is picked stays among its own kind; everything else shows its counts.
  const of = (...own: Part[]) =>
    counts && !own.some((part) => part === only.value?.part)
      ? { ...kernel, gpu: counts.gpu, rows: counts.rows }
      : kernel;
  return (
    <>
      <GpuHeadline result={result} cores={report.cores} kernel={kernel} />
      {report.kernels.length > 1 && <GpuKernels kernels={report.kernels} chosen={index} />}
      {report.measured && (
        <Later>
          <Lazy
            load={measured}
            props={{
              comparison: report.measured,
              profile,
              fromItsState: profile?.state === report.state,
              number: kernel.number,
            }}
          />
        </Later>
      )}
      {only.value && <Lazy load={chip} props={{ kernel, counts }} silent />}
      <Later>
        <GpuFlow kernel={of()} index={index} part={counts} whole={words?.flow} />
      </Later>
      <FoldAll />
      <Later>
        <WhyFold model="gpu" number={kernel.number} />
        <GpuStalls numbers={kernel.gpu} part={counts?.gpu ?? null} words={words ?? undefined} />
      </Later>
      <Later>
        <GpuParts key={`p${index}`} kernel={kernel} index={index} whole={words?.parts} />
        <GpuShared key={`s${index}`} kernel={of()}>
          <GpuCoresFold
            kernel={of('core')}
            index={index}
            cores={report.cores}
            part={of('core') === kernel ? null : counts}
          />
        </GpuShared>
      </Later>
      <Later>
        <GpuArrays key={`a${index}`} kernel={of('array')} part={of('array') !== kernel} />
      </Later>
      <Later>
        <GpuInstructions key={`i${index}`} kernel={of('line', 'pc')} part={of('line', 'pc') !== kernel} />
      </Later>
      <Later>
        <GpuWhyFold key={`w${index}`} kernel={of()} />
        <Notes notes={report.notes} />
        <Export result={result} index={index} />
      </Later>
    </>
  );
}
