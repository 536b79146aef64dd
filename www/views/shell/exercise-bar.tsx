// The way back to the exercise whose state is on show in another tab.

import { openTab, viewValue } from '../../app/tabs';
import { back } from '../../content/exercise-bar';

export function ExerciseBar() {
  return (
    <p class="banner" data-testid="exercise-bar">
      <button type="button" class="link-button" onClick={() => openTab('learn')}>
        ← {back(viewValue('learn.exercise') ?? '')}
      </button>
    </p>
  );
}
