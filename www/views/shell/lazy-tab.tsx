// A tab's view, once its code has come.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { s } from '../../content/strings';
import { loadTab, type TabId } from '../../app/tabs';

export function LazyTab({ id }: { id: TabId }) {
  const [view, setView] = useState<{ id: TabId; View: ComponentType } | null>(null);
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    loadTab(id).then(
      (module) => setView({ id, View: module.default }),
      () => setFailed(true),
    );
  };
  useEffect(load, [id]);
  if (failed) {
    return (
      <p class="card" role="alert">
        {s.tabs.failed}{' '}
        <button type="button" onClick={load}>
          {s.tabs.again}
        </button>
      </p>
    );
  }
  return view?.id === id ? <view.View /> : <p class="quiet">{s.tabs.loading}</p>;
}
