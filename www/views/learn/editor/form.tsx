// An exercise as a form. What has no field of its own, such as the values that the engine computes, is JSON in a field.

import { learn } from '../../../content/learn';
import { AnswerFields } from './answer-fields';
import { change } from './draft';
import { valueAt, type Json, type JsonObject, type Path } from './paths';
import { JsonField, ListField, SelectField, TextField, textOrNothing, WordsField } from './fields';

/** The fields of the file that the form has. Messages about others stand below it. */
export const FORM_KEYS = [
  ...['id', 'level', 'title', 'goal', 'start', 'parameters', 'values', 'steps', 'question', 'answer', 'hints'],
  ...['solution', 'figure', 'reading'],
];

const wordsItem = (path: Path, value: Json | undefined, label: string) => (
  <WordsField path={path} label={label} value={value} />
);

export function Form({ exercise }: { exercise: JsonObject }) {
  const of = (key: string) => ({ path: [key], value: valueAt(exercise, [key]) });
  const fresh = { en: '' };
  const f = learn.form;
  return (
    <div class="exercise-form">
      <TextField {...of('id')} label={f.id} hint={f.idHint} code />
      <SelectField
        {...of('level')}
        label={f.level}
        options={[1, 2, 3].map((level) => [String(level), learn.levels[level] ?? String(level)])}
        set={(level) => change(['level'], Number(level))}
      />
      <WordsField {...of('title')} label={f.title} rows={1} />
      <WordsField {...of('goal')} label={learn.goal} />
      <TextField {...of('start')} label={learn.start} hint={f.startHint} read={textOrNothing} code />
      <JsonField {...of('parameters')} label={f.parameters} hint={f.parametersHint} />
      <JsonField {...of('values')} label={f.values} hint={f.valuesHint} />
      <ListField {...of('steps')} label={f.stepOf} fresh={fresh} item={wordsItem} />
      <WordsField {...of('question')} label={learn.question} />
      <AnswerFields value={valueAt(exercise, ['answer'])} />
      <ListField {...of('hints')} label={f.hintOf} fresh={fresh} fixed item={wordsItem} />
      <WordsField {...of('solution')} label={learn.solution} rows={4} />
      <JsonField {...of('figure')} label={f.figure} hint={f.figureHint} />
      <ListField {...of('reading')} label={f.readingOf} fresh={fresh} item={wordsItem} />
    </div>
  );
}
