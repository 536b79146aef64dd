// One number of a list of facts, with the definition of its name one click away.

import type { ComponentChildren } from 'preact';
import { comparing } from '../app/baseline';
import type { TermId } from '../content/glossary';
import { Difference } from './difference';
import { Term } from './term';

interface Props {
  term?: TermId;
  name: string;
  value: string;
  /** Below the value: how sure it is. */
  children?: ComponentChildren;
}

export function Fact({ term, name, value, children }: Props) {
  return (
    <div>
      <dt>{term ? <Term id={term}>{name}</Term> : name}</dt>
      <dd>
        {value}
        <Difference of={comparing.value?.facts.get(name)} />
        {children && <span class="fact-note quiet">{children}</span>}
      </dd>
    </div>
  );
}
