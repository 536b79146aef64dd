// The result of a model of one L1: why accesses missed.

import { useEffect } from 'preact/hooks';
import { countsOf, only, startFilter } from '../../app/filter';
import type { Part } from '../../app/only';
import { withNames } from '../../app/scenario';
import { arrayNames, type Result } from '../../app/store';
import { Later } from '../../components/later';
import { FoldAll } from '../../components/section';
import { o } from '../../content/only';
import type { CacheReport, KernelReport } from '../../engine/types';
import { Arrays } from './arrays';
import { Cores } from './cores';
import { Export } from './export';
import { Histogram } from './histogram';
import { Instructions } from './instructions';
import { Kernels } from './kernels';
import { Kinds } from './kinds';
import { Notes } from './notes';
import { OnlyChip } from './only';
import { Sets } from './sets';
import { Timeline } from './timeline';
import { Verdict } from './verdict';
import { WhyFold } from './why-fold';

interface Props {
  result: Result;
  report: CacheReport;
  index: number;
}

export function L1View({ result: shown, report, index }: Props) {
  useEffect(startFilter, []);
  const plain = report.kernels[index];
  if (!plain) return null;
  const k = withNames(plain, arrayNames.value);
  const counts = countsOf(plain);
  const named = counts && withNames(counts, arrayNames.value);
  // What is picked stays among its own kind; everything else shows its counts.
  const of = (...own: Part[]) => (named && !own.some((part) => part === only.value?.part) ? named : k);
  const part = (...own: Part[]) => (of(...own) === k ? null : counts);
  const told = (part: KernelReport) => (name: string) =>
    o.chip(name, part.requests, k.requests, part.requests - part.hits);
  return (
    <>
      <Verdict result={shown} report={report} kernel={k} />
      {report.kernels.length > 1 && <Kernels kernels={report.kernels} total={report.total} chosen={index} />}
      <Later>
        <OnlyChip arrays={k.arrays} told={counts && told(counts)} />
        <Arrays key={`a${index}`} kernel={of('array')} />
      </Later>
      <Later>
        <Histogram kernel={of('distance')} part={part('distance')} index={index} parameters={report.parameters} />
      </Later>
      <FoldAll />
      <Later>
        <WhyFold model={report.model} number={plain.number} />
        <Instructions key={`i${index}`} kernel={of('line', 'pc')} />
      </Later>
      <Later>
        <Kinds kernel={k} />
      </Later>
      <Later>
        <Sets kernel={of('set')} part={part('set')} index={index} />
      </Later>
      <Later>
        <Timeline kernel={of()} part={part()} index={index} />
      </Later>
      <Later>
        <Cores kernel={of('core')} />
      </Later>
      <Later>
        <Notes notes={report.notes} />
        <Export result={shown} index={index} />
      </Later>
    </>
  );
}
