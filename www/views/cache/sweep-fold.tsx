// The sweep of parameters, folded away.

import { Fold } from '../../components/fold';
import { Lazy } from '../../components/lazy';
import { s } from '../../content/strings';

const load = () => import(/* webpackChunkName: 'sweep' */ './sweep').then((module) => module.Sweep);

export function SweepFold() {
  return (
    <section class="card">
      <Fold title={s.sweep.title} name="sweep">
        <Lazy load={load} props={{}} />
      </Fold>
    </section>
  );
}
