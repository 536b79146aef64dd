// The sweep of parameters, folded away. Its code comes when it is opened.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Fold } from '../../components/fold';
import { s } from '../../content/strings';

export function SweepFold() {
  return (
    <section class="card">
      <Fold title={<h2>{s.sweep.title}</h2>} name="sweep">
        <Loaded />
      </Fold>
    </section>
  );
}

function Loaded() {
  const [view, setView] = useState<{ Sweep: ComponentType } | 'failed' | null>(null);
  const load = () => {
    setView(null);
    import(/* webpackChunkName: 'sweep' */ './sweep').then(setView, () => setView('failed'));
  };
  useEffect(load, []);
  if (view === null) return <p class="quiet">{s.tabs.loading}</p>;
  if (view !== 'failed') return <view.Sweep />;
  return (
    <p role="alert">
      {s.tabs.failed}{' '}
      <button type="button" onClick={load}>
        {s.tabs.again}
      </button>
    </p>
  );
}
