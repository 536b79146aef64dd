// The way back to the exercise whose state is on show in another tab.

import { useEffect, useState } from 'preact/hooks';
import { loadTab, openTab, viewValue } from '../../app/tabs';
import { back } from '../../content/exercise-bar';

export function ExerciseBar() {
  const id = viewValue('learn.exercise') ?? '';
  const [title, setTitle] = useState<string | null>(null);
  useEffect(() => {
    // The titles are in the tab's code, which the way back needs as well. Without the network the identifier stays.
    loadTab('learn').then(
      (learn) => setTitle(learn.titleOf?.(id) ?? null),
      () => setTitle(null),
    );
  }, [id]);
  return (
    <p class="banner" data-testid="exercise-bar">
      <button type="button" class="link-button" onClick={() => openTab('learn')}>
        ← {back(title ?? id)}
      </button>
    </p>
  );
}
