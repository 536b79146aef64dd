// The sweep of parameters, folded away.

import { Lazy } from '../../components/lazy';
import { Folded } from '../../components/section';
import { s } from '../../content/strings';

const load = () => import(/* webpackChunkName: 'sweep' */ './sweep').then((module) => module.Sweep);

export function SweepFold() {
  return (
    <Folded title={s.sweep.title} name="sweep">
      <Lazy load={load} props={{}} />
    </Folded>
  );
}
