// The way back to the exercise whose state is on show in another tab.

import { language } from '../../app/language';
import { openTab, viewValue } from '../../app/tabs';
import { BACK } from '../../content/exercise-bar';

export function ExerciseBar() {
  return (
    <p class="banner" lang={language.value} data-testid="exercise-bar">
      <button type="button" class="link-button" onClick={() => openTab('learn')}>
        ← {BACK[language.value](viewValue('learn.exercise') ?? '')}
      </button>
    </p>
  );
}
