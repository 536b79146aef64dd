// The game about a hidden GPU: one question at a time, checked at once. The bar with the score stays in view.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../../app/store';
import { Section } from '../../components/section';
import { g } from '../../content/discover-game';
import { bytes } from '../../content/format';
import { t } from '../../content/topology';
import * as engine from '../../engine/topology/engine';
import type { Discovered } from '../../engine/topology/types';
import { shown, suggest } from './experiments';
import { parseBytes, parseNumber } from './numbers';
import { guessOf, NOTHING, type Question, questionsOf, truthOf, UNITS, type Verdict, verdictOf } from './questions';
import { safely } from './state';

interface Said {
  verdict: Verdict | 'shown' | 'unread';
  text: string;
}
interface Round {
  sealed: Discovered;
  questions: Question[];
  /** Number of the question on show; all are done when it is their number. */
  at: number;
  /** Answers that the visitor found. */
  found: number;
  said: Said | null;
}

const round = signal<Round | null>(null);

/** Begins with the first question about the GPU that is hidden now. */
export async function beginGame() {
  const sealed = await engine.ask((r) => r.score(NOTHING));
  round.value = { sealed, questions: questionsOf(sealed), at: 0, found: 0, said: null };
}

const done = (said: Said | null) => said?.verdict === 'right' || said?.verdict === 'shown';

function because(question: Question, truth: number): string {
  return question.kind === 'shared' ? g.because.shared(truth === 1) : g.because[question.kind](truth);
}

function tell(verdict: Verdict, question: Question, value: number, truth: number): string {
  if (verdict === 'right') return `${g.right} ${because(question, truth)}`;
  if (verdict === 'wrong') return g.notSo;
  const side = value < truth ? g.small : g.large;
  const text = question.kind === 'size' ? side.size(bytes(value)) : side.other;
  return verdict === 'near' ? `${text} ${g.close}` : text;
}

async function answer(now: Round, question: Question, text: string) {
  const { kind, memory } = question;
  const value = kind === 'latency' || kind === 'amount' || kind === 'shared' ? parseNumber(text) : parseBytes(text);
  if (value === null) {
    round.value = { ...now, said: { verdict: 'unread', text: g.notANumber[kind] } };
    return;
  }
  const truth = truthOf(now.sealed, question);
  const { score } = await engine.ask((r) => r.score(guessOf(question, value)));
  const verdict = verdictOf(question, value, truth, score.caches[memory]?.[kind] === true);
  const said = { verdict, text: tell(verdict, question, value, truth) };
  round.value = { ...now, said, found: now.found + Number(verdict === 'right') };
}

const show = (now: Round, question: Question) =>
  (round.value = {
    ...now,
    said: { verdict: 'shown', text: `${g.shown} ${because(question, truthOf(now.sealed, question))}` },
  });

/** Where the game stands. It stays in view while the visitor measures. */
function Bar({ now }: { now: Round }) {
  const of = now.questions.length;
  return (
    <div class="game-bar" data-testid="game-score">
      <strong>{now.at < of ? g.at(now.at + 1, of) : g.over}</strong>
      <progress aria-label={g.label} max={of} value={now.at + Number(done(now.said))} />
      <span>{g.found(now.found)}</span>
      {shown.value && (
        <p class="game-shown">
          {shown.value}{' '}
          {now.at < of && !done(now.said) && (
            <button type="button" class="link-button" onClick={() => document.getElementById('game-answer')?.focus()}>
              {g.toAnswer}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** `children` stand below the question. */
export function Game({ children }: { children: ComponentChildren }) {
  const now = round.value;
  if (!now) return null;
  const question = now.questions[now.at];
  return (
    <>
      <Bar now={now} />
      <Section title={g.heading} class="game">
        {question ? (
          <Ask key={now.at} now={now} question={question} />
        ) : (
          <>
            <p class="sentence">{g.ended(now.found, now.questions.length)}</p>
            <p class="quiet">{g.endedHint}</p>
          </>
        )}
        {children}
      </Section>
    </>
  );
}

function Ask({ now, question }: { now: Round; question: Question }) {
  const [text, setText] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const over = done(now.said);
  useLayoutEffect(() => {
    suggest(question.experiment);
    // The first question waits; later ones follow a press of “Next question”, whose focus would be lost.
    if (now.at > 0) form.current?.querySelector<HTMLElement>('#game-answer')?.focus();
  }, []);
  useEffect(() => {
    if (over) next.current?.focus();
  }, [over]);
  const { kind, memory } = question;
  const onward = () => {
    round.value = { ...now, at: now.at + 1, said: null };
    if (now.at + 1 === now.questions.length) announce(g.ended(now.found, now.questions.length));
  };
  return (
    <>
      {memory === 'texture' && now.at === 0 && <p class="quiet">{g.bypassed}</p>}
      <p class="sentence" id="game-question">
        {g.ask[kind](memory)}
      </p>
      <p class="hint">{g.how[kind]}</p>
      <form
        class="game-answer"
        ref={form}
        onSubmit={(e) => {
          e.preventDefault();
          if (!over) void safely(() => answer(now, question, text));
        }}
      >
        <Field kind={kind} text={text} setText={setText} off={over} />
        {!over && (
          <>
            <button type="submit" class="primary">
              {g.check}
            </button>
            <button type="button" onClick={() => show(now, question)}>
              {g.show}
            </button>
          </>
        )}
        {over && (
          <button type="button" class="primary" ref={next} onClick={onward}>
            {g.next}
          </button>
        )}
      </form>
      <p role="status" class={now.said ? `game-said ${over ? 'good' : 'warning'}` : 'unseen'} data-testid="game-said">
        {now.said?.text}
      </p>
    </>
  );
}

interface FieldProps {
  kind: Question['kind'];
  text: string;
  setText: (text: string) => void;
  off: boolean;
}

function Field({ kind, text, setText, off }: FieldProps) {
  const unit = UNITS[kind];
  return (
    <div class="field">
      <label for="game-answer">{unit ? t.discover.inUnit(g.answer, unit) : g.answer}</label>
      {kind === 'shared' ? (
        <select
          id="game-answer"
          aria-describedby="game-question"
          value={text}
          disabled={off}
          onChange={(e) => setText(e.currentTarget.value)}
        >
          <option value="">{g.choose}</option>
          <option value="1">{g.yes}</option>
          <option value="0">{g.no}</option>
        </select>
      ) : (
        <input
          id="game-answer"
          aria-describedby="game-question"
          autocomplete="off"
          value={text}
          readOnly={off}
          onInput={(e) => setText(e.currentTarget.value)}
        />
      )}
    </div>
  );
}
