// One number of a list of facts, with the definition of its name one click away.

import { comparing } from '../app/baseline';
import type { TermId } from '../content/glossary';
import { Difference } from './difference';
import { Term } from './term';

export function Fact({ term, name, value }: { term?: TermId; name: string; value: string }) {
  return (
    <div>
      <dt>{term ? <Term id={term}>{name}</Term> : name}</dt>
      <dd>
        {value}
        <Difference of={comparing.value?.facts.get(name)} />
      </dd>
    </div>
  );
}
