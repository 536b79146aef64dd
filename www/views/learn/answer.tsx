// The form of an answer, one for each kind. Enter checks, as in any form.

import { learn } from '../../content/learn';
import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { inLanguage } from '../../content/exercise-text';
import type { AnswerForm as Form, GivenAnswer, Words } from '../../engine/generated';
import { draftOf, keepDraft } from './drafts';
import { Prose } from './prose';
import { recordOf, records } from './records';
import { activity, checkAnswer, type Shown } from './state';

type Of<Kind extends Form['kind']> = Extract<Form, { kind: Kind }>;

interface Props<Shape> {
  form: Shape;
  /** The answer in the form: what was typed last, or else what was checked last. */
  given: GivenAnswer | null;
  give: (given: GivenAnswer) => void;
  check: (given: GivenAnswer) => void;
}

export function AnswerForm({ now }: { now: Shown }) {
  const { form, id } = now.view;
  const { seed } = now.of;
  const [given, setGiven] = useState(() => draftOf(id, seed) ?? recordOf(records.peek(), id, seed)?.given ?? null);
  const give = (answer: GivenAnswer) => {
    setGiven(answer);
    keepDraft(id, seed, answer);
  };
  const check = (answer: GivenAnswer) => void checkAnswer(now, answer);
  const all = { given, give, check };
  switch (form.kind) {
    case 'choice':
      return <Choice form={form} {...all} />;
    case 'order':
      return <Order form={form} {...all} />;
    case 'row':
      return <Row form={form} {...all} />;
    case 'kernel':
      return <Kernel form={form} {...all} />;
    default:
      return <Text form={form} {...all} />;
  }
}

function Frame({ submit, children }: { submit: () => void; children: ComponentChildren }) {
  return (
    <form
      class="learn-answer"
      data-testid="learn-answer"
      onSubmit={(e) => {
        e.preventDefault();
        submit();
      }}
    >
      {children}
      <button type="submit" class="primary" disabled={activity.value !== null}>
        {learn.check}
      </button>
    </form>
  );
}

const textOf = (given: GivenAnswer | null) => (given && 'text' in given ? given.text : '');

function Text({ form, given, give, check }: Props<Of<'number'> | Of<'locked'>>) {
  const text = textOf(given);
  const unit = form.kind === 'number' ? form.unit : null;
  return (
    <Frame submit={() => check({ text })}>
      <div class="field">
        <label for="learn-text">{learn.answer}</label>
        <span class="with-unit">
          <input
            id="learn-text"
            aria-describedby="learn-question"
            autocomplete="off"
            value={text}
            onInput={(e) => give({ text: e.currentTarget.value })}
          />
          {unit && (
            <span>
              <Prose words={unit} />
            </span>
          )}
        </span>
      </div>
    </Frame>
  );
}

function Choice({ form, given, give, check }: Props<Of<'choice'>>) {
  const chosen = given && 'choice' in given ? given.choice : [];
  const set = (at: number, on: boolean) => {
    const others = form.several ? chosen.filter((other) => other !== at) : [];
    give({ choice: on ? [...others, at] : others });
  };
  return (
    <Frame submit={() => check({ choice: chosen })}>
      <fieldset class="options">
        <legend>{form.several ? learn.chooseSeveral : learn.choose}</legend>
        {form.options.map(([at, text]) => (
          <label key={at} class="check">
            <input
              type={form.several ? 'checkbox' : 'radio'}
              name="learn-option"
              checked={chosen.includes(at)}
              onChange={(e) => set(at, e.currentTarget.checked)}
            />
            <span>
              <Prose words={text} />
            </span>
          </label>
        ))}
      </fieldset>
    </Frame>
  );
}

function Order({ form, given, give, check }: Props<Of<'order'>>) {
  const items = new Map<number, Words>(form.items);
  const fits = given && 'order' in given && given.order.length === form.items.length;
  const order = fits ? given.order : form.items.map(([at]) => at);
  const move = (from: number, by: number) => {
    const next = [...order];
    [next[from], next[from + by]] = [next[from + by]!, next[from]!];
    give({ order: next });
  };
  return (
    <Frame submit={() => check({ order })}>
      <fieldset class="options">
        <legend>{learn.order}</legend>
        <ol class="ordering">
          {order.map((at, i) => {
            const text = items.get(at) ?? {};
            const name = inLanguage(text);
            return (
              <li key={at}>
                <span>
                  <Prose words={text} />
                </span>
                <button type="button" aria-label={learn.up(name)} disabled={i === 0} onClick={() => move(i, -1)}>
                  ↑
                </button>
                <button
                  type="button"
                  aria-label={learn.down(name)}
                  disabled={i === order.length - 1}
                  onClick={() => move(i, 1)}
                >
                  ↓
                </button>
              </li>
            );
          })}
        </ol>
      </fieldset>
    </Frame>
  );
}

function Row({ form, given, give, check }: Props<Of<'row'>>) {
  const fits = given && 'row' in given && given.row.length === form.labels.length;
  const cells = fits ? given.row : form.labels.map(() => '');
  const set = (at: number, text: string) => give({ row: cells.map((cell, i) => (i === at ? text : cell)) });
  return (
    <Frame submit={() => check({ row: cells })}>
      <fieldset class="options">
        <legend>{learn.row}</legend>
        <div class="cells">
          {form.labels.map((label, i) => (
            <label key={i}>
              <span>{label}</span>
              <input
                aria-label={`${learn.cell(label)} (${i + 1})`}
                autocomplete="off"
                value={cells[i]}
                onInput={(e) => set(i, e.currentTarget.value)}
              />
            </label>
          ))}
        </div>
      </fieldset>
    </Frame>
  );
}

function Kernel({ form, given, give, check }: Props<Of<'kernel'>>) {
  const text = given && 'kernel' in given ? given.kernel : form.text;
  return (
    <Frame submit={() => check({ kernel: text })}>
      <div class="field">
        <label for="learn-kernel">{learn.kernel}</label>
        <textarea
          id="learn-kernel"
          aria-describedby="learn-question"
          class="code"
          rows={24}
          spellcheck={false}
          value={text}
          onInput={(e) => give({ kernel: e.currentTarget.value })}
        />
        <p class="hint">{learn.kernelHint}</p>
      </div>
    </Frame>
  );
}
