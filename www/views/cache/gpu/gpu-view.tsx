// The result of the model `gpu`: time and work first, then where the bytes go and what the warps wait for.

import type { Result } from '../../../app/store';
import { Later } from '../../../components/later';
import { Lazy } from '../../../components/lazy';
import { FoldAll } from '../../../components/section';
import type { GpuReport } from '../../../engine/types';
import { Export } from '../export';
import { Notes } from '../notes';
import { GpuWhy } from './classes';
import { GpuFlow } from './flow';
import { GpuHeadline } from './headline';
import { GpuKernels } from './kernels';
import { GpuArrays, GpuInstructions } from './rows';
import { GpuShared } from './shared';
import { GpuParts, GpuStalls } from './stalls';

const measured = () => import(/* webpackChunkName: 'measured' */ './measured').then((module) => module.GpuMeasured);

export function GpuView({ result, report, index }: { result: Result; report: GpuReport; index: number }) {
  const kernel = report.kernels[index];
  if (!kernel) return null;
  const { profile } = result.intake;
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
      <Later>
        <GpuFlow kernel={kernel} index={index} />
      </Later>
      <FoldAll />
      <Later>
        <GpuStalls numbers={kernel.gpu} />
      </Later>
      <Later>
        <GpuParts key={`p${index}`} kernel={kernel} index={index} />
        <GpuShared key={`s${index}`} kernel={kernel} index={index} cores={report.cores} />
      </Later>
      <Later>
        <GpuArrays key={`a${index}`} kernel={kernel} />
      </Later>
      <Later>
        <GpuInstructions key={`i${index}`} kernel={kernel} />
      </Later>
      <Later>
        <GpuWhy key={`w${index}`} kernel={kernel} />
        <Notes notes={report.notes} />
        <Export result={result} index={index} />
      </Later>
    </>
  );
}
