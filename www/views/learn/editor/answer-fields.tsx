// The fields of an answer, one set for each kind.

import { learn } from '../../../content/learn';
import { change, changeKind } from './draft';
import { isObject, valueAt, type Json, type JsonObject, type Path } from './paths';
import {
  JsonField,
  ListField,
  Messages,
  numberOrNothing,
  SelectField,
  TextField,
  textOrNothing,
  WordsField,
} from './fields';

const words = (): JsonObject => ({ en: '' });

/** What a new answer of each kind begins with. */
const FRESH: Record<string, () => JsonObject> = {
  number: () => ({ kind: 'number', is: '1', tolerance: 0.01 }),
  choice: () => ({ kind: 'choice', options: ['1', '0'].map((right) => ({ text: words(), right, say: words() })) }),
  order: () => ({ kind: 'order', items: ['1', '2'].map((key) => ({ text: words(), key })) }),
  row: () => ({ kind: 'row', is: 'cells' }),
  kernel: () => ({
    kind: 'kernel',
    example: 'transpose',
    gpu: 'a100',
    measure: ['gpu.l1.sectors'],
    unit: words(),
    at_most: '1',
  }),
  locked: () => ({ kind: 'locked', salt: '', hashes: [] }),
};
const KINDS = Object.keys(FRESH);
const ANSWER: Path = ['answer'];

export function AnswerFields({ value }: { value: Json | undefined }) {
  const answer = isObject(value) ? value : {};
  const { kind } = answer;
  const of = (key: string) => ({ path: [...ANSWER, key], value: valueAt(answer, [key]) });
  const f = learn.form;
  return (
    <section aria-label={learn.answer}>
      <h3>{learn.answer}</h3>
      <SelectField
        {...of('kind')}
        label={f.kind}
        options={KINDS.map((name) => [name, f.kinds[name] ?? name])}
        set={(name) => changeKind(name, FRESH[name]!())}
      />
      <Messages path={ANSWER} only />
      {kind === 'number' && (
        <>
          <TextField {...of('is')} label={f.is} hint={f.formula} code />
          <TextField {...of('tolerance')} label={f.tolerance} read={numberOrNothing} />
          <TextField {...of('within')} label={f.within} read={numberOrNothing} />
          <WordsField {...of('unit')} label={f.unit} rows={1} />
          <Near {...of('near')} />
        </>
      )}
      {kind === 'choice' && <Options {...of('options')} several={answer['several'] === true} />}
      {kind === 'order' && (
        <ListField
          {...of('items')}
          label={f.item}
          fresh={{ text: words(), key: '1' }}
          item={(path, entry, label) => (
            <>
              <WordsField path={[...path, 'text']} label={label} value={valueAt(entry, ['text'])} />
              <TextField path={[...path, 'key']} label={`${label}: ${f.key}`} value={valueAt(entry, ['key'])} code />
            </>
          )}
        />
      )}
      {kind === 'row' && (
        <>
          <TextField {...of('is')} label={f.list} code />
          <TextField {...of('labels')} label={f.labels} read={textOrNothing} code />
          <Near {...of('near')} />
        </>
      )}
      {kind === 'kernel' && <Kernel of={of} />}
      {kind === 'locked' && (
        <>
          <TextField {...of('salt')} label={f.salt} />
          <TextField {...of('step')} label={f.step} read={numberOrNothing} />
          <JsonField {...of('hashes')} label={f.hashes} hint={f.hashesHint} />
        </>
      )}
    </section>
  );
}

/** Wrong answers that tell what was misunderstood. */
function Near({ path, value }: { path: Path; value: Json | undefined }) {
  const f = learn.form;
  return (
    <ListField
      path={path}
      label={f.near}
      value={value}
      fresh={{ is: '1', say: words() }}
      item={(at, entry, label) => (
        <>
          <TextField path={[...at, 'is']} label={`${label}: ${f.is}`} value={valueAt(entry, ['is'])} code />
          <WordsField path={[...at, 'say']} label={`${label}: ${f.say}`} value={valueAt(entry, ['say'])} />
        </>
      )}
    />
  );
}

function Options({ path, value, several }: { path: Path; value: Json | undefined; several: boolean }) {
  const f = learn.form;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={several}
          onChange={(e) => change([...ANSWER, 'several'], e.currentTarget.checked || undefined)}
        />
        <span>{f.several}</span>
      </label>
      <ListField
        path={path}
        label={f.option}
        value={value}
        fresh={{ text: words(), right: '0', say: words() }}
        item={(at, entry, label) => (
          <>
            <WordsField path={[...at, 'text']} label={label} value={valueAt(entry, ['text'])} />
            <TextField path={[...at, 'right']} label={`${label}: ${f.right}`} value={valueAt(entry, ['right'])} code />
            <WordsField path={[...at, 'say']} label={`${label}: ${f.say}`} value={valueAt(entry, ['say'])} />
          </>
        )}
      />
    </>
  );
}

function Kernel({ of }: { of: (key: string) => { path: Path; value: Json | undefined } }) {
  const f = learn.form;
  return (
    <>
      <TextField {...of('example')} label={f.example} read={textOrNothing} code />
      <TextField {...of('text')} label={f.text} read={textOrNothing} rows={6} code />
      <JsonField {...of('sizes')} label={f.sizes} hint={f.sizesHint} />
      <TextField {...of('gpu')} label="GPU" code />
      <JsonField {...of('measure')} label={f.measure} hint={f.measureHint} />
      <TextField {...of('times')} label={f.times} read={numberOrNothing} />
      <WordsField {...of('unit')} label={f.unit} rows={1} />
      <TextField {...of('at_most')} label={f.atMost} hint={f.formula} code />
      <TextField {...of('solved_example')} label={f.solvedExample} read={textOrNothing} code />
      <TextField {...of('solved_text')} label={f.solvedText} read={textOrNothing} rows={6} code />
    </>
  );
}
