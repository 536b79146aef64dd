// The row of tabs, in the pattern of the ARIA authoring practices: one stop for Tab, arrows move.

import { s } from '../../content/strings';
import { openTab, tab, TABS } from '../../app/tabs';

export const tabLabelId = (id: string) => `tab-${id}`;

export function TabBar() {
  return (
    <nav aria-label={s.tabs.label}>
      <div class="tabs" role="tablist" aria-label={s.tabs.label} onKeyDown={move}>
        {TABS.map((id, i) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={tabLabelId(id)}
            aria-controls="tab-panel"
            aria-selected={tab.value === id}
            tabIndex={tab.value === id ? 0 : -1}
            onClick={() => openTab(id)}
          >
            {s.tabs.names[id]} <kbd aria-hidden="true">{i + 1}</kbd>
          </button>
        ))}
      </div>
    </nav>
  );
}

function move(event: KeyboardEvent) {
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: -TABS.length, End: TABS.length };
  const by = steps[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const at = TABS.indexOf(tab.value) + by;
  const next = Math.abs(by) === 1 ? (at + TABS.length) % TABS.length : Math.min(TABS.length - 1, Math.max(0, at));
  openTab(TABS[next]!);
  document.getElementById(tabLabelId(TABS[next]!))?.focus();
}
