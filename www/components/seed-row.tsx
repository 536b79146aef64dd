// A seed that the link keeps, and the button that draws another.

import { setView } from '../app/tabs';
import { DrawSeed } from './draw-seed';
import { KeptInput } from './kept-input';

interface Props {
  id: string;
  label: string;
  /** On the button. */
  another: string;
  seed: number;
  /** The link's key. */
  view: string;
}

export function SeedRow({ id, label, another, seed, view }: Props) {
  return (
    <div class="row">
      <div class="field">
        <label for={id}>{label}</label>
        <KeptInput
          id={id}
          inputMode="numeric"
          value={String(seed)}
          onChange={(e) => setView(view, e.currentTarget.value.trim() || null)}
        />
      </div>
      <DrawSeed label={another} take={(drawn) => setView(view, String(drawn))} />
    </div>
  );
}
