// What to try, from the cause that the engine found.

import { arrayNames } from '../../app/store';
import { advice } from '../../content/work';
import type { Work } from '../../engine/types';
import { TwinButton } from './compare-door';

export function Advice({ work }: { work: Work }) {
  const { array } = work.advice;
  const name = array && arrayNames.value[array.base];
  const named = name ? { ...work, advice: { ...work.advice, array: { ...array, name } } } : work;
  const text = advice(named);
  return (
    <>
      {text && <p class="meaning advice">{text}</p>}
      <TwinButton />
    </>
  );
}
