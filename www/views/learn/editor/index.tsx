// Where a lecturer writes an exercise: as a form or as JSON, what is wrong with it, and how it looks.

import { learn } from '../../../content/learn';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { save } from '../../../app/output';
import { DiagnosticList } from '../../../components/diagnostics';
import { Section } from '../../../components/section';
import { Segments } from '../../../components/segments';
import { inLanguage } from '../../../content/exercise-text';
import type { ExerciseView } from '../../../engine/generated';
import { course } from '../course';
import { Prose, ProseList } from '../prose';
import { addOwn, safely, seed } from '../state';
import schema from '../../../../schema/exercise.schema.json?published';
import { checkText, flawless, NAME, preview, problems, text } from './draft';
import { exerciseOf, placeOf } from './paths';
import { Form, FORM_KEYS } from './form';

/** A pause in typing of this length, in milliseconds, has the text checked. */
const PAUSE_MS = 400;
const VIEWS = ['form', 'json'] as const;

const view = signal<(typeof VIEWS)[number]>('form');

/** The messages that no field of the form shows. */
const elsewhere = () =>
  problems.value.filter((problem) => !FORM_KEYS.includes(/^\w+/.exec(placeOf(problem) ?? '')?.[0] ?? ''));

export function Editor() {
  useEffect(() => {
    const timer = setTimeout(() => void safely(() => checkText(text.value, seed.value)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text.value, seed.value]);
  const fine = flawless.value === text.value;
  const exercise = view.value === 'form' ? exerciseOf(text.value) : null;
  return (
    <>
      <Section title={learn.editor} hint={learn.editorHint} class="exercise">
        <div class="field">
          <label for="learn-from">{learn.from}</label>
          <select
            id="learn-from"
            value=""
            onChange={(e) => (text.value = course.find(({ id }) => id === e.currentTarget.value)?.text ?? text.value)}
          >
            <option value="">{learn.empty}</option>
            {course.map(({ id, title }) => (
              <option key={id} value={id}>
                {inLanguage(title)}
              </option>
            ))}
          </select>
        </div>
        <Segments
          legend={learn.form.view}
          name="learn-view"
          ids={VIEWS}
          labels={learn.form.views}
          value={view.value}
          set={(id) => (view.value = id)}
        />
        {exercise && <Form exercise={exercise} />}
        {view.value === 'form' && !exercise && <p role="alert">{learn.form.noJson}</p>}
        {view.value === 'json' && <TextView />}
        <Buttons fine={fine} />
        <p role="status" class="quiet">
          {fine ? learn.good : learn.form.flaws(problems.value.length)}
        </p>
      </Section>
      <DiagnosticList list={exercise ? elsewhere() : problems.value} dismiss={() => (problems.value = [])} />
      {preview.value && <Preview view={preview.value} />}
    </>
  );
}

function TextView() {
  return (
    <div class="field">
      <label for="learn-json">{learn.editorText}</label>
      <textarea
        id="learn-json"
        class="code"
        rows={24}
        spellcheck={false}
        value={text.value}
        onInput={(e) => (text.value = e.currentTarget.value)}
      />
    </div>
  );
}

function Buttons({ fine }: { fine: boolean }) {
  return (
    <p class="buttons">
      <button type="button" class="primary" disabled={!fine} onClick={() => addOwn({ name: NAME, text: text.value })}>
        {learn.tryIt}
      </button>
      <button type="button" onClick={() => save(NAME, 'application/json', text.value)}>
        {learn.saveFile}
      </button>
      <a href={schema} download>
        JSON Schema
      </a>
    </p>
  );
}

function Preview({ view: { title, goal, steps, question, hints } }: { view: ExerciseView }) {
  return (
    <Section title={inLanguage(title)} class="exercise">
      <p>
        <Prose words={goal} />
      </p>
      <ProseList list={steps} />
      <h3>{learn.question}</h3>
      <p>
        <Prose words={question} />
      </p>
      <h3>{learn.hints}</h3>
      <ProseList list={hints} />
    </Section>
  );
}
