// The difference to the baseline beside a number: a sign and a word, never a colour alone.

import type { Difference as Told } from '../app/baseline';

export function Difference({ of }: { of: Told | undefined }) {
  if (!of) return null;
  return (
    <span class="difference">
      {of.text}
      {of.word && ` ${of.word}`}
    </span>
  );
}
