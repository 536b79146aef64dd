// A part of the result that is folded away. It is rendered when it is opened, because its charts need their width.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  title: ComponentChildren;
  /** A name of the part for tests. */
  name: string;
  children: ComponentChildren;
}

export function Fold({ title, name, children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details class="fold" data-fold={name} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{title}</summary>
      {open && children}
    </details>
  );
}
