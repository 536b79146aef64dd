// Fields of the form. Each knows the path of its value, and shows the engine's messages about that place under it.

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { say } from '../../../content/messages';
import { learn } from '../../../content/learn';
import { page } from '../../../content/document';
import { s } from '../../../content/strings';
import { change, problems } from './draft';
import { belongs, isObject, pathText, placeOf, type Json, type Path } from './paths';

const ENGLISH = 'en';
const idOf = (path: Path) => `learn-form-${path.join('-')}`;

/** The messages about a place; with `only`, not those about its parts. */
function messagesOf(path: Path, only: boolean) {
  const at = pathText(path);
  return problems.value.filter((problem) => {
    const place = placeOf(problem);
    return only ? place === at : belongs(place, at);
  });
}

export function Messages({ path, only = false }: { path: Path; only?: boolean }) {
  const list = messagesOf(path, only);
  return (
    <div id={`${idOf(path)}-said`} class="said">
      {list.map((problem, i) => (
        <p key={i} class="problem">
          {s.diagnostics.expected} {say(problem.expected)}. {s.diagnostics.found} {say(problem.found)}.
        </p>
      ))}
    </div>
  );
}

interface FieldProps {
  path: Path;
  label: string;
  value: Json | undefined;
}

/** A value as it stands in a field. */
const shownText = (value: Json | undefined) =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

interface TextProps extends FieldProps {
  hint?: string;
  /** What a text becomes in the file; `undefined` leaves the field out. */
  read?: (text: string) => Json | undefined;
  /** How a value stands in the field. */
  show?: (value: Json | undefined) => string;
  /** Rows of a text of several lines. */
  rows?: number;
  code?: boolean;
}

const same = (text: string): Json => text;
/** A number, or the text as it is, about which the checker then has a message. Nothing leaves the field out. */
export const numberOrNothing = (text: string): Json | undefined => {
  if (text.trim() === '') return undefined;
  return Number.isFinite(Number(text)) ? Number(text) : text;
};
export const textOrNothing = (text: string): Json | undefined => (text === '' ? undefined : text);

export function TextField({ path, label, value, hint, read = same, show = shownText, rows, code = false }: TextProps) {
  const id = idOf(path);
  // While a person types, the text stays as typed: `0.` is a step on the way to `0.02`, though it is the number 0.
  const [typed, setTyped] = useState<string | null>(null);
  const isTyped = typed !== null && JSON.stringify(read(typed)) === JSON.stringify(value);
  const common = {
    id,
    'aria-describedby': `${id}-said`,
    'aria-invalid': messagesOf(path, false).length > 0,
    class: code ? 'code' : undefined,
    spellcheck: !code,
    value: isTyped ? typed : show(value),
    onInput: (e: { currentTarget: { value: string } }) => {
      setTyped(e.currentTarget.value);
      change(path, read(e.currentTarget.value));
    },
    onBlur: () => setTyped(null),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows ? <textarea rows={rows} {...common} /> : <input autocomplete="off" {...common} />}
      {hint && <p class="hint">{hint}</p>}
      <Messages path={path} />
    </div>
  );
}

/** A text in English and in the language of the page, and in others that the file has. */
export function WordsField({ path, label, value, rows = 2 }: FieldProps & { rows?: number }) {
  const words = isObject(value) ? value : {};
  const languages = [...new Set([ENGLISH, page.language, ...Object.keys(words)])];
  return (
    <fieldset class="words">
      <legend>{label}</legend>
      {languages.map((language) => (
        <TextField
          key={language}
          path={[...path, language]}
          label={learn.form.inLanguage(label, language)}
          value={Object.hasOwn(words, language) ? words[language] : undefined}
          rows={rows}
          read={language === ENGLISH ? same : textOrNothing}
        />
      ))}
      <Messages path={path} only />
    </fieldset>
  );
}

export function SelectField({
  path,
  label,
  value,
  options,
  set,
}: FieldProps & { options: readonly (readonly [string, string])[]; set?: (value: string) => void }) {
  const id = idOf(path);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        aria-describedby={`${id}-said`}
        value={shownText(value)}
        onChange={(e) => (set ? set(e.currentTarget.value) : change(path, e.currentTarget.value))}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
      <Messages path={path} only />
    </div>
  );
}

/** A part of the file that the form shows as JSON. What is no JSON becomes a text, about which the checker has a message. */
export function JsonField({ path, label, value, hint }: FieldProps & { hint: string }) {
  const read = (text: string): Json | undefined => {
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text) as Json;
    } catch {
      return text;
    }
  };
  const show = (of: Json | undefined) =>
    of === undefined || typeof of === 'string' ? (of ?? '') : JSON.stringify(of, null, 2);
  return <TextField path={path} label={label} value={value} hint={hint} read={read} show={show} rows={6} code />;
}

interface ListProps {
  path: Path;
  label: string;
  value: Json | undefined;
  /** What a new item is. */
  fresh: Json;
  /** A list of a fixed length has no buttons. */
  fixed?: boolean;
  item: (path: Path, value: Json | undefined, label: string) => ComponentChildren;
}

/** A list whose items can be added, removed and moved. */
export function ListField({ path, label, value, fresh, fixed = false, item }: ListProps) {
  const list = Array.isArray(value) ? value : [];
  const move = (from: number) => {
    const next = list.slice();
    [next[from - 1], next[from]] = [next[from]!, next[from - 1]!];
    change(path, next);
  };
  const add = useRef<HTMLButtonElement>(null);
  const remove = (at: number) => {
    change([...path, at], undefined);
    // The button that was pressed goes with the last item.
    if (at === list.length - 1) add.current?.focus();
  };
  return (
    <section class="form-list" aria-label={label}>
      <h3>{label}</h3>
      {list.map((entry, i) => {
        const name = `${label} ${i + 1}`;
        return (
          <div key={i} class="form-item">
            {item([...path, i], entry, name)}
            {!fixed && (
              <p class="buttons">
                <button
                  type="button"
                  disabled={i === 0}
                  aria-label={`${learn.form.up}: ${name}`}
                  onClick={() => move(i)}
                >
                  {learn.form.up}
                </button>
                <button type="button" aria-label={`${learn.form.remove}: ${name}`} onClick={() => remove(i)}>
                  {learn.form.remove}
                </button>
              </p>
            )}
          </div>
        );
      })}
      <Messages path={path} only />
      {!fixed && (
        <button type="button" ref={add} onClick={() => change([...path, list.length], fresh)}>
          {learn.form.add(label)}
        </button>
      )}
    </section>
  );
}
