// A part of the result that is folded away. It is rendered when it is opened, because its charts need their width.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  title: ComponentChildren;
  /** A name of the part for tests. */
  name: string;
  /** It begins open. */
  begins?: boolean;
  children: ComponentChildren;
}

export function Fold({ title, name, begins = false, children }: Props) {
  const [open, setOpen] = useState(begins);
  return (
    <details class="fold" data-fold={name} open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{title}</summary>
      {open && children}
    </details>
  );
}
