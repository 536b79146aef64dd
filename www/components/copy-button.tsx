// A button that copies something, and says so itself for as long as the confirmation is in sight.

import { useState } from 'preact/hooks';
import { status } from '../app/store';

interface Props {
  copy: () => Promise<void>;
  /** What stands at the button; the whole sentence is the page's confirmation. */
  done?: string;
  children: string;
}

export function CopyButton({ copy, done = '', children }: Props) {
  const [told, setTold] = useState<object | null>(null);
  const now = status.value;
  // A confirmation of before is none of this copy.
  const press = async () => {
    const before = status.value;
    await copy();
    setTold(status.value === before ? null : status.value);
  };
  return (
    <button type="button" class="copy-button" onClick={() => void press()}>
      {children}
      {now === told && now.shown && !now.stays && (
        <span class="copy-done" aria-hidden="true">
          ✓ {done}
        </span>
      )}
    </button>
  );
}
