// The steps through a run, folded away unless the link asks for one.

import { viewValue } from '../../app/tabs';
import { Fold } from '../../components/fold';
import { Lazy } from '../../components/lazy';
import { s } from '../../content/strings';
import type { CacheReport } from '../../engine/types';

const load = () => import(/* webpackChunkName: 'why' */ './why').then((module) => module.Why);

export function WhyFold({ report, number }: { report: CacheReport; number: number }) {
  return (
    <section class="card">
      <Fold title={s.why.title} name="why" begins={viewValue('why') !== null}>
        <Lazy load={load} props={{ model: report.model, number }} />
      </Fold>
    </section>
  );
}
