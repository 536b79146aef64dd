// How sure the result is: the line in the verdict, and the part that is folded away.

import type { Result } from '../../app/store';
import { Lazy } from '../../components/lazy';
import { Folded } from '../../components/section';
import { s } from '../../content/strings';

const load = () => import(/* webpackChunkName: 'sure' */ './sure');
const line = () => load().then((module) => module.SureLine);
const details = () => load().then((module) => module.SureDetails);

export const SureRange = ({ result }: { result: Result }) => <Lazy load={line} props={{ result }} silent />;

export function SureFold({ result }: { result: Result }) {
  return (
    <Folded title={s.sure.title} name="sure">
      <Lazy load={details} props={{ result }} />
    </Folded>
  );
}
