// A part of the page whose code comes when it is shown.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { s } from '../content/strings';

interface Props<Shown> {
  load: () => Promise<ComponentType<Shown>>;
  props: Shown;
  /** Nothing stands in its place until it is there. */
  silent?: boolean;
}

export function Lazy<Shown extends object>({ load, props, silent = false }: Props<Shown>) {
  const [part, setPart] = useState<{ View: ComponentType<Shown> } | 'failed' | null>(null);
  const begin = () => {
    setPart(null);
    load().then(
      (View) => setPart({ View }),
      () => setPart('failed'),
    );
  };
  useEffect(begin, []);
  if (part === null || (silent && part === 'failed')) return silent ? null : <p class="quiet">{s.part.loading}</p>;
  if (part !== 'failed') return <part.View {...props} />;
  return (
    <p role="alert">
      {s.part.failed}{' '}
      <button type="button" onClick={begin}>
        {s.part.again}
      </button>
    </p>
  );
}
