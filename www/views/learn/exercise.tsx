// One exercise: goal, starting state, steps, question, answer, hints, solution.

import { useEffect, useRef } from 'preact/hooks';
import { confirm, shownLink } from '../../app/store';
import { copyText } from '../../app/output';
import { linkOf } from '../../app/url';
import { Drawing } from '../../components/drawing';
import { Section } from '../../components/section';
import { s } from '../../content/strings';
import * as engine from '../../engine/course/engine';
import { AnswerForm } from './answer';
import { Prose } from './prose';
import { choose, linkOfExercise, nextOf, showHint, showSolution, startLink, type Shown } from './state';
import { w } from '../../content/learn';
import { said, sayText } from './said';

export function Exercise({ now }: { now: Shown }) {
  const { view } = now;
  const start = startLink(now);
  return (
    <>
      <Section title={said(view.title)} class="exercise">
        <p class="quiet">
          {w.level(view.level)}, {w.seed} {view.seed}
        </p>
        <h3>{w.goal}</h3>
        <p>
          <Prose words={view.goal} />
        </p>
        {start && (
          <p>
            <a class="button primary" href={start} data-testid="learn-start">
              {w.start}
            </a>{' '}
            <span class="hint">{w.startHint}</span>
          </p>
        )}
        <h3>{w.steps}</h3>
        <ol>
          {view.steps.map((step, i) => (
            <li key={i}>
              <Prose words={step} />
            </li>
          ))}
        </ol>
      </Section>
      <Section title={w.question} class="exercise">
        <p class="sentence" id="learn-question">
          <Prose words={view.question} />
        </p>
        <AnswerForm now={now} />
        <Told now={now} />
      </Section>
      <Hints now={now} />
      <Solution now={now} />
      <Section title={w.reading} class="exercise">
        <ul>
          {view.reading.map((reading, i) => (
            <li key={i}>
              <Prose words={reading} />
            </li>
          ))}
        </ul>
        <LinkRow now={now} />
        <p class="hint">{w.honest}</p>
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
            <strong>{verdict.right ? w.right : w.wrong}</strong>{' '}
            {verdict.say.map((say, i) => (
              <span key={i}>{sayText(say)} </span>
            ))}
          </>
        )}
      </div>
      {verdict?.right && following && (
        <p>
          <button type="button" class="primary" ref={next} onClick={() => choose(following.id)}>
            {w.next}
          </button>
        </p>
      )}
    </>
  );
}

function Hints({ now }: { now: Shown }) {
  const { hints } = now.view;
  return (
    <Section title={w.hints} class="exercise">
      <ol data-testid="learn-hints">
        {hints.slice(0, now.hints).map((hint, i) => (
          <li key={i}>
            <Prose words={hint} />
          </li>
        ))}
      </ol>
      {now.hints < hints.length ? (
        <button type="button" onClick={() => showHint(now)}>
          {w.hint(now.hints + 1)}
        </button>
      ) : (
        <p class="quiet">{w.noHints}</p>
      )}
    </Section>
  );
}

function Solution({ now }: { now: Shown }) {
  if (!now.solution) {
    return (
      <Section title={w.solution} class="exercise">
        <button type="button" onClick={() => void showSolution(now)}>
          {w.showSolution}
        </button>
      </Section>
    );
  }
  return (
    <Section title={w.solution} class="exercise">
      <p data-testid="learn-solution">
        <Prose words={now.solution} />
      </p>
      {now.view.figure && (
        <Drawing
          draw={(look) => engine.ask((r) => r.figure(look))}
          of={[now.solution]}
          name={now.view.id}
          label={`${w.figure}: ${said(now.view.title)}`}
          table={<p>{w.figureTable}</p>}
        />
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
      <button type="button" onClick={() => void copy()}>
        {w.link}
      </button>{' '}
      <span class="hint">{w.linkHint}</span>
    </p>
  );
}
