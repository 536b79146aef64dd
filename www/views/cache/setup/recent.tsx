// The scenarios that were run last, as links.

import { useEffect, useState } from 'preact/hooks';
import { ask, recentChanges } from '../../../app/kept/kept';
import type { Recent as Run } from '../../../app/kept/recent';
import { ForgetAll } from '../../../components/forget-all';
import { s } from '../../../content/strings';

export function Recent() {
  const [runs, setRuns] = useState<Run[] | null>(null);
  useEffect(() => void ask((db) => db.recentRuns()).then((list) => setRuns(list ?? [])), [recentChanges.value]);
  if (!runs) return null;
  return (
    <>
      {runs.length === 0 && <p class="quiet">{s.kept.none}</p>}
      <ul class="recent">
        {runs.map(({ name, gpu, model, link, at }) => (
          <li key={link}>
            <a href={`#${link}`}>{name}</a> <span class="quiet">{s.kept.run(gpu, model, new Date(at))}</span>
          </li>
        ))}
      </ul>
      <ForgetAll />
    </>
  );
}
