// One exercise: goal, starting state, steps, question, answer, hints, solution.

import { learn } from '../../content/learn';
import { useEffect, useRef } from 'preact/hooks';
import { embedded } from '../../app/framed';
import { confirm, shownLink } from '../../app/store';
import { copyText } from '../../app/output';
import { linkOf } from '../../app/url';
import { Coded } from '../../components/coded';
import { CopyButton } from '../../components/copy-button';
import { Drawing } from '../../components/drawing';
import { Section } from '../../components/section';
import { inLanguage, sayText } from '../../content/exercise-text';
import { s } from '../../content/strings';
import * as engine from '../../engine/course/engine';
import { AnswerForm } from './answer';
import { Prose, ProseList } from './prose';
import {
  choose,
  exerciseId,
  justChosen,
  linkOfExercise,
  nextOf,
  showHint,
  showSolution,
  startLink,
  type Shown,
} from './state';

export function Exercise({ now }: { now: Shown }) {
  const { view } = now;
  const start = startLink(now);
  // In a frame of another page there is no way back from the starting state.
  const apart = embedded() ? { target: '_blank', rel: 'noopener noreferrer' } : {};
  const top = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!justChosen(exerciseId.value ?? '')) return;
    // The list was longer, and its button is gone: neither the place nor the focus would be at the exercise.
    const card = top.current?.parentElement;
    if (!card) return;
    card.tabIndex = -1;
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <>
      <Section title={inLanguage(view.title)} class="exercise">
        <p class="quiet" ref={top}>
          {learn.level(view.level)}, {learn.seed} {view.seed}
        </p>
        <h3>{learn.goal}</h3>
        <p>
          <Prose words={view.goal} />
        </p>
        {start && (
          <p>
            <a class="button primary" href={start} {...apart} data-testid="learn-start">
              {learn.start}
            </a>{' '}
            <span class="hint">{learn.startHint}</span>
          </p>
        )}
        <h3>{learn.steps}</h3>
        <ProseList list={view.steps} />
      </Section>
      <Section title={learn.question} class="exercise">
        <p class="sentence" id="learn-question">
          <Prose words={view.question} />
        </p>
        <AnswerForm now={now} />
        <Told now={now} />
      </Section>
      <Hints now={now} />
      <Solution now={now} />
      <Section title={learn.reading} class="exercise">
        <ProseList list={view.reading} ordered={false} />
        <LinkRow now={now} />
        <p class="hint">{learn.honest}</p>
      </Section>
    </>
  );
}

function Told({ now }: { now: Shown }) {
  const next = useRef<HTMLButtonElement>(null);
  const { verdict, view } = now;
  const following = nextOf(view.id);
  useEffect(() => {
    if (verdict?.right) next.current?.focus();
  }, [verdict]);
  return (
    <>
      <div
        role="status"
        class={verdict ? `game-said ${verdict.right ? 'good' : 'warning'}` : 'unseen'}
        data-testid="learn-verdict"
      >
        {verdict && (
          <>
            <strong>{verdict.right ? learn.right : learn.wrong}</strong>{' '}
            {verdict.say.map((say, i) => (
              <span key={i}>
                <Coded text={sayText(say)} />{' '}
              </span>
            ))}
          </>
        )}
      </div>
      {verdict?.right && following && !embedded() && (
        <p>
          <button type="button" class="primary" ref={next} onClick={() => choose(following.id)}>
            {learn.next}
          </button>
        </p>
      )}
    </>
  );
}

function Hints({ now }: { now: Shown }) {
  const { hints } = now.view;
  return (
    <Section title={learn.hints} class="exercise">
      <ProseList list={hints.slice(0, now.hints)} testId="learn-hints" />
      {now.hints < hints.length ? (
        <button type="button" onClick={() => showHint(now)} data-testid="learn-hint">
          {learn.hint(now.hints + 1)}
        </button>
      ) : (
        <p class="quiet">{learn.noHints}</p>
      )}
    </Section>
  );
}

function Solution({ now }: { now: Shown }) {
  if (!now.solution) {
    return (
      <Section title={learn.solution} class="exercise">
        <button type="button" onClick={() => void showSolution(now)} data-testid="learn-show">
          {learn.showSolution}
        </button>
      </Section>
    );
  }
  const kind = now.view.figure;
  return (
    <Section title={learn.solution} class="exercise">
      <p data-testid="learn-solution">
        <Prose words={now.solution} />
      </p>
      {kind && (
        <>
          <p class="hint">{learn.figures[kind]}</p>
          <Drawing
            draw={(look) => engine.ask((r) => r.figure(look))}
            of={[now.solution]}
            name={now.view.id}
            label={`${inLanguage(now.view.title)}: ${learn.figures[kind]}`}
          />
        </>
      )}
    </Section>
  );
}

function LinkRow({ now }: { now: Shown }) {
  const copy = async () => {
    const link = linkOf(linkOfExercise(now.view.id, now.of.seed));
    const copied = await copyText(link);
    shownLink.value = copied ? '' : link;
    confirm(copied ? s.export.copied : s.export.copyFailed, !copied);
  };
  return (
    <p>
      <CopyButton copy={copy} done={s.export.copied}>
        {learn.link}
      </CopyButton>{' '}
      <span class="hint">{learn.linkHint}</span>
    </p>
  );
}
