// A titled part of the result.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  title: ComponentChildren;
  hint?: string;
  class?: string;
  children: ComponentChildren;
}

export function Section({ title, hint, class: extra, children }: Props) {
  const id = useId();
  return (
    <section class={extra ? `card ${extra}` : 'card'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}
