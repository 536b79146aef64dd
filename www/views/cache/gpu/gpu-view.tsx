// The result of the model `gpu`: time and work first, then where the bytes go and what the warps wait for.

import { openInPaper } from '../../../app/actions';
import type { Result } from '../../../app/store';
import { Later } from '../../../components/later';
import { Section } from '../../../components/section';
import { g } from '../../../content/gpu';
import type { GpuReport } from '../../../engine/types';
import { Export } from '../export';
import { Notes } from '../notes';
import { GpuFlow } from './flow';
import { GpuHeadline } from './headline';
import { GpuKernels } from './kernels';
import { GpuMeasured } from './measured';
import { GpuArrays, GpuInstructions } from './rows';
import { GpuShared } from './shared';
import { GpuParts, GpuStalls } from './stalls';

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
          <GpuMeasured
            comparison={report.measured}
            profile={profile}
            fromItsState={profile?.state === report.state}
            number={kernel.number}
          />
        </Later>
      )}
      <Later>
        <GpuFlow kernel={kernel} index={index} />
      </Later>
      <Later>
        <GpuStalls numbers={kernel.gpu} />
      </Later>
      <Later>
        <GpuParts key={`p${index}`} numbers={kernel.gpu} />
        <GpuShared numbers={kernel.gpu} />
      </Later>
      <Later>
        <GpuArrays key={`a${index}`} kernel={kernel} />
      </Later>
      <Later>
        <GpuInstructions key={`i${index}`} kernel={kernel} />
      </Later>
      <Later>
        <InPaper />
        <Notes notes={report.notes} />
        <Export result={result} index={index} />
      </Later>
    </>
  );
}

/** The way to the models of one Fermi L1. */
function InPaper() {
  return (
    <Section title={g.why.heading}>
      <p>{g.why.text}</p>
      <p class="buttons">
        <button type="button" onClick={() => void openInPaper()}>
          {g.why.open}
        </button>
      </p>
    </Section>
  );
}
