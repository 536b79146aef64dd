// The course by level, with what the visitor has solved.

import { useEffect } from 'preact/hooks';
import { learn } from '../../content/learn';
import { Section } from '../../components/section';
import { inLanguage } from '../../content/exercise-text';
import { course, type Listed } from './course';
import { records } from './records';
import { choose, justLeft, seed } from './state';

const LEVELS = [1, 2, 3];

export function CourseList() {
  // Back at the exercise that was left, not at the end of the list.
  useEffect(() => {
    const id = justLeft();
    if (id !== null) document.querySelector<HTMLElement>(`[data-exercise="${CSS.escape(id)}"]`)?.focus();
  }, []);
  const solved = new Set(records.value.filter((record) => record.solved).map((record) => record.exercise));
  return (
    <>
      <p class="quiet" data-testid="learn-solved">
        {learn.progress(course.filter(({ id }) => solved.has(id)).length, course.length)}
      </p>
      {LEVELS.map((level) => (
        <Section key={level} title={learn.levels[level]}>
          <ol class="course">
            {course
              .filter((exercise) => exercise.level === level)
              .map((exercise) => (
                <Line key={exercise.id} exercise={exercise} solved={solved.has(exercise.id)} />
              ))}
          </ol>
        </Section>
      ))}
    </>
  );
}

function Line({ exercise: { id, title, goal }, solved }: { exercise: Listed; solved: boolean }) {
  const tried = records.value.find(
    (record) => record.exercise === id && record.seed === seed.value && record.tries > 0,
  );
  return (
    <li>
      <button type="button" class="link-button" data-exercise={id} onClick={() => choose(id)}>
        {inLanguage(title)}
      </button>{' '}
      {solved && <span class="badge good">{learn.done}</span>}
      {!solved && tried && <span class="badge">{`${learn.tried}: ${learn.tries(tried.tries)}`}</span>}
      <p class="hint">{inLanguage(goal)}</p>
    </li>
  );
}
