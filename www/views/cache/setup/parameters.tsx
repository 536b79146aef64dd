// The form of all parameters, made from the engine's list, or the list of facts. Each says how its value is known.

import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { resetParameters, setParameter } from '../../../app/actions';
import { errorOf } from '../../../app/refused';
import { hasWords } from '../../../app/search';
import { diagnostics } from '../../../app/store';
import { Coded } from '../../../components/coded';
import { KeptInput } from '../../../components/kept-input';
import { SearchField } from '../../../components/search-field';
import { g } from '../../../content/gpu';
import { say } from '../../../content/messages';
import { parameterWords } from '../../../content/parameters';
import { s } from '../../../content/strings';
import type { Parameter } from '../../../engine/types';

/** A wide window and a narrow one draw the form at different places. It stays as a person left it. */
const open = signal(false);

interface Props {
  list: Parameter[];
  set: Record<string, string>;
  /** The list has facts of the GPU, which cannot be set. */
  facts: boolean;
}

export function Parameters({ list, set, facts }: Props) {
  const changed = Object.keys(set).length;
  const [wanted, setWanted] = useState('');
  const shown = list.filter((p) => hasWords(`${p.key} ${say(p.label)} ${say(p.help)}`, wanted));
  return (
    <details class="parameters" open={open.value} onToggle={(e) => (open.value = e.currentTarget.open)}>
      <summary>
        {facts ? g.facts_of_gpu : s.settings.advanced}
        {changed > 0 && <span class="badge changed">{s.settings.changed(changed)}</span>}
      </summary>
      {changed > 0 && (
        <button type="button" class="link-button" onClick={() => void resetParameters()}>
          {s.settings.resetAll}
        </button>
      )}
      {facts && <p class="quiet">{g.facts_help}</p>}
      <SearchField id="parameter-search" label={parameterWords.search} value={wanted} set={setWanted} />
      {shown.length === 0 && <p role="status">{parameterWords.none}</p>}
      {shown.map((p) => (
        <Row key={p.key} p={p} value={set[p.key] ?? p.value} changed={p.key in set} />
      ))}
    </details>
  );
}

function Row({ p, value, changed }: { p: Parameter; value: string; changed: boolean }) {
  const id = `set-${p.key}`;
  const error = changed ? errorOf(p.key, diagnostics.value) : undefined;
  const name = (
    <>
      {say(p.label)}
      {p.unit && <span class="quiet"> ({say(p.unit)})</span>}
    </>
  );
  return (
    <div class={changed ? 'parameter changed' : 'parameter'}>
      <div class="parameter-head">
        {p.kind === 'fact' ? <span id={id}>{name}</span> : <label for={id}>{name}</label>}
        {error ? (
          <span class="badge error">{parameterWords.refused}</span>
        ) : changed ? (
          <span class="badge changed">{s.settings.changedBadge}</span>
        ) : (
          <span class={`badge status-${p.status}`} title={s.settings.statusHelp[p.status]}>
            {s.settings.status[p.status] ?? p.status}
          </span>
        )}
      </div>
      <div class="parameter-value">
        {p.kind === 'fact' ? (
          <output aria-labelledby={id}>{value}</output>
        ) : (
          <Input id={id} p={p} value={value} invalid={error !== undefined} />
        )}
        {changed && (
          <button
            type="button"
            class="link-button"
            aria-label={s.settings.resetOf(p.label)}
            onClick={() => void setParameter(p, p.value)}
          >
            {s.settings.reset}
          </button>
        )}
      </div>
      {error && (
        <p class="problem" id={`${id}-error`}>
          <Coded text={parameterWords.refusedHelp(say(error.expected), say(error.found))} />
        </p>
      )}
      <p class="quiet" id={`${id}-help`}>
        {say(p.help)} {p.range && <Coded text={`(${say(p.range)})`} />}{' '}
        {changed && s.settings.changedHelp(p.value, s.settings.status[p.status] ?? p.status)}{' '}
        {p.source && s.settings.sourceOf(p.source)}
      </p>
    </div>
  );
}

function Input({ id, p, value, invalid }: { id: string; p: Parameter; value: string; invalid: boolean }) {
  const change = (text: string) => void setParameter(p, text.trim());
  const help = invalid ? `${id}-error ${id}-help` : `${id}-help`;
  if (p.kind === 'choice' || p.kind === 'boolean') {
    const choices = p.kind === 'boolean' ? ['true', 'false'] : p.choices;
    const shown = (choice: string) =>
      p.kind === 'boolean' ? (choice === 'true' ? s.settings.yes : s.settings.no) : choice;
    return (
      <select
        id={id}
        value={value}
        aria-describedby={help}
        aria-invalid={invalid}
        onChange={(e) => change(e.currentTarget.value)}
      >
        {choices.map((c) => (
          <option key={c} value={c}>
            {shown(c)}
          </option>
        ))}
      </select>
    );
  }
  // Plain text: some whole numbers can also be `unlimited`, and the engine's message on a wrong value is the better one.
  return (
    <KeptInput
      id={id}
      type="text"
      value={value}
      aria-describedby={help}
      aria-invalid={invalid}
      autocomplete="off"
      spellcheck={false}
      onChange={(e) => change(e.currentTarget.value)}
    />
  );
}
