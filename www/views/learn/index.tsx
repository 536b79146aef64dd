// The Learn tab: a course of exercises, each with a starting state, a question and a checked answer.

import { learn } from '../../content/learn';
import { useEffect } from 'preact/hooks';
import { DiagnosticList } from '../../components/diagnostics';
import { OpenButton } from '../../components/file-input';
import { ProgressBar, useEscape } from '../../components/progress-bar';
import { SeedRow } from '../../components/seed-row';
import { Editor } from './editor';
import { Exercise } from './exercise';
import { HandInPanel } from './hand-in';
import { CourseList } from './list';
import {
  activity,
  exerciseId,
  notice,
  openExercise,
  problems,
  seed,
  showList,
  shown,
  stop,
  takeFiles,
  titleOf,
  wanted,
  writing,
} from './state';
import '../../styles/learn.css';

export { takeFiles, titleOf };

export default function LearnTab() {
  useEscape(() => activity.value !== null, stop);
  useEffect(() => {
    if (wanted.value) void openExercise(wanted.value);
  }, [wanted.value?.text, wanted.value?.seed]);
  return (
    <div class="columns learn">
      <aside class="setup" aria-label={learn.setup}>
        <SeedRow id="learn-seed" label={learn.seed} another={learn.seedAnother} seed={seed.value} view="learn.seed" />
        <HandInPanel />
        <section class="panel" aria-label={learn.own}>
          <h2>{learn.own}</h2>
          <p class="hint">{learn.ownHint}</p>
          <p class="buttons">
            <OpenButton>{learn.open}</OpenButton>
            <button type="button" onClick={() => (writing.value = !writing.value)} aria-pressed={writing.value}>
              {learn.edit}
            </button>
          </p>
        </section>
      </aside>
      <main id="result" tabIndex={-1}>
        <p class="intro">{learn.intro}</p>
        <Standing />
        <Main />
      </main>
    </div>
  );
}

function Main() {
  if (writing.value) return <Editor />;
  if (exerciseId.value === null) return <CourseList />;
  const now = shown.value;
  return (
    <>
      <p>
        <button type="button" class="link-button" onClick={showList}>
          ← {learn.all}
        </button>
      </p>
      {!wanted.value && (
        <p class="card" role="alert">
          {learn.missing(exerciseId.value)}
        </p>
      )}
      {wanted.value && now && <Exercise key={`${now.view.id} ${now.of.seed}`} now={now} />}
    </>
  );
}

function Standing() {
  const now = activity.value;
  return (
    <>
      {now && (
        <ProgressBar
          testId="learn-progress"
          label={now.what}
          done={now.done}
          total={now.total}
          cancelling={false}
          onCancel={stop}
        />
      )}
      <p role="status" class={notice.value ? 'status-text' : 'unseen'}>
        {notice.value}
      </p>
      <DiagnosticList list={problems.value} dismiss={() => (problems.value = [])} />
    </>
  );
}
