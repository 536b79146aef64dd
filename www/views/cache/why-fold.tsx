// The steps through a run, folded away unless the link asks for one.

import { viewValue } from '../../app/tabs';
import { Lazy } from '../../components/lazy';
import { Folded } from '../../components/section';
import { s } from '../../content/strings';
import type { Model } from '../../engine/types';

const load = () => import(/* webpackChunkName: 'why' */ './why').then((module) => module.Why);

export function WhyFold({ model, number }: { model: Model; number: number }) {
  return (
    <Folded title={s.why.title} name="why-steps" begins={viewValue('why') !== null}>
      <Lazy load={load} props={{ model, number }} />
    </Folded>
  );
}
