// Where a lecturer writes an exercise: the text, what is wrong with it, and how it looks.

import { learn } from '../../content/learn';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { save } from '../../app/output';
import { DiagnosticList } from '../../components/diagnostics';
import { Section } from '../../components/section';
import { inLanguage } from '../../content/exercise-text';
import * as engine from '../../engine/course/engine';
import { EngineLost, isPageError } from '../../engine/lost';
import type { ExerciseView } from '../../engine/generated';
import type { Diagnostic } from '../../engine/types';
import { course } from './course';
import { Prose } from './prose';
import { addOwn, safely, seed } from './state';
import schema from '../../../schema/exercise.schema.json?published';

const NAME = 'exercise.json';
/** A pause in typing of this length, in milliseconds, has the text checked. */
const PAUSE_MS = 400;

const text = signal(course[0]?.text ?? '');
const problems = signal<Diagnostic[]>([]);
const preview = signal<ExerciseView | null>(null);

async function checkText(now: string, of: number) {
  try {
    const view = await engine.open({ name: NAME, text: now, seed: of }, () => {});
    if (now !== text.value) return;
    preview.value = view;
    problems.value = [];
  } catch (error) {
    if (isPageError(error)) problems.value = error.diagnostics;
    else if (!(error instanceof EngineLost && error.wanted)) throw error;
  }
}

export function Editor() {
  useEffect(() => {
    const timer = setTimeout(() => void safely(() => checkText(text.value, seed.value)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text.value, seed.value]);
  const fine = problems.value.length === 0 && preview.value !== null;
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
        <p class="buttons">
          <button
            type="button"
            class="primary"
            disabled={!fine}
            onClick={() => addOwn({ name: NAME, text: text.value })}
          >
            {learn.tryIt}
          </button>
          <button type="button" onClick={() => save(NAME, 'application/json', text.value)}>
            {learn.saveFile}
          </button>
          <a href={schema} download>
            JSON Schema
          </a>
        </p>
        <p role="status" class="quiet">
          {fine ? learn.good : ''}
        </p>
      </Section>
      <DiagnosticList list={problems.value} dismiss={() => (problems.value = [])} />
      {preview.value && <Preview view={preview.value} />}
    </>
  );
}

function Preview({ view }: { view: ExerciseView }) {
  return (
    <Section title={inLanguage(view.title)} class="exercise">
      <p>
        <Prose words={view.goal} />
      </p>
      <ol>
        {view.steps.map((step, i) => (
          <li key={i}>
            <Prose words={step} />
          </li>
        ))}
      </ol>
      <h3>{learn.question}</h3>
      <p>
        <Prose words={view.question} />
      </p>
      <h3>{learn.hints}</h3>
      <ol>
        {view.hints.map((hint, i) => (
          <li key={i}>
            <Prose words={hint} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
