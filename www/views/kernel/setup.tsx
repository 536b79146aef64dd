// What to run: a kernel of the library, the form, the sizes and the launches.

import { OpenButton } from '../../components/file-input';
import { ExampleChoice } from '../../components/example-choice';
import { KeptInput } from '../../components/kept-input';
import { Segments } from '../../components/segments';
import { busy, source } from '../../app/store';
import { k } from '../../content/kernel';
import type { LaunchOutline } from '../../engine/scenario/cuda';
import { severalOfHost, sizesOf } from './launch';
import { Left } from './left';
import {
  autoRun,
  changeLaunch,
  choose,
  current,
  draft,
  outline,
  PAUSE_MS,
  ran,
  run,
  setAutoRun,
  setSize,
  settings,
  shown,
} from './state';

/** On a small screen the text comes first. */
const wide = matchMedia('(min-width: 60rem)');

const FORMS = ['compiled', 'written'] as const;

let pause: ReturnType<typeof setTimeout> | undefined;

/** Has a field hand on what it holds, as when it is left. An empty one takes back what the text says. */
const handOn = (field: HTMLInputElement) => field.dispatchEvent(new Event('change', { bubbles: true }));

/** The keys of the editor do the same in the fields: a pause takes over what was typed, and Ctrl + Enter runs it. */
const asInEditor = {
  onInput: ({ target }: Event) => {
    clearTimeout(pause);
    // An empty one is about to be filled.
    if (isField(target) && target.value.trim()) pause = setTimeout(() => handOn(target), PAUSE_MS);
  },
  onChange: () => clearTimeout(pause),
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isField(event.target)) return;
    event.preventDefault();
    handOn(event.target);
    void run();
  },
};

const isField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === 'text';

export function Setup() {
  return (
    <>
      <section class="panel" aria-labelledby="kernel-title">
        <h2 id="kernel-title">{k.library.heading}</h2>
        <Library />
        <OpenButton>{k.library.open}</OpenButton>
        <Left />
      </section>
      <section class="panel" aria-labelledby="launch-title" {...asInEditor}>
        <h2 id="launch-title">{k.launch.heading}</h2>
        <Forms />
        <Sizes />
        <button type="button" class="primary run" disabled={busy.value || !draft.value} onClick={() => void run()}>
          {current.value ? k.launch.again : k.launch.run}{' '}
          <kbd class="for-keys" aria-hidden="true">
            {k.launch.key}
          </kbd>
        </button>
        <label class="check">
          <input type="checkbox" checked={autoRun.value} onChange={(e) => setAutoRun(e.currentTarget.checked)} />
          {k.launch.auto}
        </label>
        <Override />
        {outline.value.map((launch, i) => (
          <Launch key={i} launch={launch} />
        ))}
      </section>
    </>
  );
}

function Library() {
  return (
    <ExampleChoice
      label={k.library.label}
      current={shown.value?.example ?? ''}
      none={k.library.own}
      choose={(id) => void choose(id)}
    />
  );
}

function Forms() {
  const { form } = settings.value;
  return (
    <div class="field">
      <Segments
        name="cuda-form"
        legend={k.form.label}
        ids={FORMS}
        labels={k.form}
        value={form}
        set={(f) => (settings.value = { ...settings.value, form: f })}
      />
      <p class="quiet">{k.form.help[form]}</p>
    </div>
  );
}

function Sizes() {
  const own = sizesOf(outline.value);
  if (own.length === 0) return null;
  const { sizes } = settings.value;
  const before = source.value?.cuda?.sizes ?? {};
  return (
    <div class="sizes">
      {own.map(({ name, value, origin }) => (
        <div class="field" key={name}>
          <label for={`size-${name}`}>
            <code>{name}</code>
          </label>
          <KeptInput
            id={`size-${name}`}
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={sizes[name] ?? value}
            aria-describedby={`size-${name}-origin`}
            onChange={(e) => setSize(name, e.currentTarget.value, value)}
          />
          <Origin id={`size-${name}-origin`} changed={sizes[name] !== before[name]}>
            {origin && sizes[name] !== undefined ? k.launch.given : origin}
          </Origin>
        </div>
      ))}
    </div>
  );
}

/** Below a field: that its value was not run yet, or where it comes from. */
function Origin({ id, changed, children = '' }: { id: string; changed: boolean; children?: string }) {
  if (!changed && !children) return null;
  return (
    <p class={changed ? 'quiet not-run' : 'quiet'} id={id}>
      {changed ? k.launch.notRun : children}
    </p>
  );
}

/** Stands before all of the text's own launches: a launch that came with a link, or the choice where the host has several. */
function Override() {
  const { launch } = settings.value;
  const several = severalOfHost(outline.value) && (launch === null || /^(\d+|a|al|all)$/.test(launch));
  if (launch === null && !several) return null;
  return (
    <div class="field">
      <label for="launch-instead">{several ? k.launch.host : k.launch.instead}</label>
      <KeptInput
        id="launch-instead"
        type="text"
        autocomplete="off"
        value={launch ?? ''}
        aria-describedby={several ? 'launch-instead-help' : undefined}
        onChange={(e) => (settings.value = { ...settings.value, launch: e.currentTarget.value.trim() || null })}
      />
      {several && (
        <p class="quiet" id="launch-instead-help">
          {k.launch.hostHelp}
        </p>
      )}
    </div>
  );
}

/** A launch comment as a form; each change rewrites the comment in the text. */
function Launch({ launch }: { launch: LaunchOutline }) {
  const change = (part: Partial<LaunchOutline>) => void changeLaunch(launch, (now) => ({ ...now, ...part }));
  const changeItem = (name: string, value: string) =>
    void changeLaunch(launch, (now) => ({
      ...now,
      items: now.items.map((item) => (item.name === name ? { ...item, value } : item)),
    }));
  const guessed = launch.last_line < launch.line;
  // Of another kernel no field says that it was changed: the editor says it of the text.
  const before = ran.value.find(({ kernel }) => kernel === launch.kernel) ?? launch;
  const id = `launch-${launch.line}`;
  return (
    <details class="launch" open={wide.matches}>
      <summary>
        {k.launch.of(launch.kernel)}
        {guessed && <span class="badge warning">{k.launch.guessed}</span>}
      </summary>
      <div class="halves">
        <Field
          id={`${id}-blocks`}
          label={k.launch.blocks}
          value={launch.blocks}
          before={before.blocks}
          origin={launch.blocks_origin}
          set={(blocks) => change({ blocks })}
        />
        <Field
          id={`${id}-threads`}
          label={k.launch.threads}
          value={launch.threads}
          before={before.threads}
          origin={launch.threads_origin}
          set={(threads) => change({ threads })}
        />
      </div>
      {launch.shared !== null && (
        <Field
          id={`${id}-shared`}
          label={k.launch.shared}
          value={launch.shared}
          before={before.shared ?? launch.shared}
          set={(shared) => change({ shared })}
        />
      )}
      {launch.items.map(
        (item) =>
          item.declaration && (
            <Field
              key={item.name}
              id={`${id}-${item.name}`}
              label={`${item.name}: ${item.declaration}`}
              value={item.value}
              before={before.items.find(({ name }) => name === item.name)?.value ?? item.value}
              origin={item.origin}
              set={(value) => changeItem(item.name, value)}
            />
          ),
      )}
    </details>
  );
}

interface FieldProps {
  id: string;
  label: string;
  value: string;
  /** The value that was run last. */
  before: string;
  origin?: string;
  set: (value: string) => void;
}

/** A value of a launch. A guessed one says where it comes from. */
function Field({ id, label, value, before, origin, set }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <KeptInput
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={value}
        aria-describedby={`${id}-origin`}
        onChange={(e) =>
          e.currentTarget.value.trim() ? set(e.currentTarget.value.trim()) : (e.currentTarget.value = value)
        }
      />
      <Origin id={`${id}-origin`} changed={value !== before}>
        {origin}
      </Origin>
    </div>
  );
}
