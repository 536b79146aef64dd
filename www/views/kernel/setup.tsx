// What to run: a kernel of the library, the form, the sizes and the launches.

import { OpenButton } from '../../components/file-input';
import { ExampleChoice } from '../../components/example-choice';
import { KeptInput } from '../../components/kept-input';
import { Segments } from '../../components/segments';
import { busy } from '../../app/store';
import { k } from '../../content/kernel';
import type { LaunchOutline } from '../../engine/scenario/cuda';
import { severalOfHost, sizesOf } from './launch';
import { Left } from './left';
import { autoRun, changeLaunch, choose, current, draft, outline, run, setAutoRun, setSize, settings } from './state';

/** On a small screen the text comes first. */
const wide = matchMedia('(min-width: 60rem)');

const FORMS = ['compiled', 'written'] as const;

export function Setup() {
  return (
    <>
      <section class="panel" aria-labelledby="kernel-title">
        <h2 id="kernel-title">{k.library.heading}</h2>
        <Library />
        <OpenButton>{k.library.open}</OpenButton>
        <Left />
      </section>
      <section class="panel" aria-labelledby="launch-title">
        <h2 id="launch-title">{k.launch.heading}</h2>
        <Forms />
        <Sizes />
        <button type="button" class="primary run" disabled={busy.value || !draft.value} onClick={() => void run()}>
          {current.value ? k.launch.again : k.launch.run} <kbd aria-hidden="true">{k.launch.key}</kbd>
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
      current={draft.value?.example ?? ''}
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
            value={settings.value.sizes[name] ?? value}
            aria-describedby={origin ? `size-${name}-origin` : undefined}
            onChange={(e) => setSize(name, e.currentTarget.value, value)}
          />
          {origin && (
            <p class="quiet" id={`size-${name}-origin`}>
              {settings.value.sizes[name] === undefined ? origin : k.launch.given}
            </p>
          )}
        </div>
      ))}
    </div>
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
          origin={launch.blocks_origin}
          set={(blocks) => change({ blocks })}
        />
        <Field
          id={`${id}-threads`}
          label={k.launch.threads}
          value={launch.threads}
          origin={launch.threads_origin}
          set={(threads) => change({ threads })}
        />
      </div>
      {launch.shared !== null && (
        <Field id={`${id}-shared`} label={k.launch.shared} value={launch.shared} set={(shared) => change({ shared })} />
      )}
      {launch.items.map(
        (item) =>
          item.declaration && (
            <Field
              key={item.name}
              id={`${id}-${item.name}`}
              label={`${item.name}: ${item.declaration}`}
              value={item.value}
              origin={item.origin}
              set={(value) => changeItem(item.name, value)}
            />
          ),
      )}
    </details>
  );
}

type FieldProps = { id: string; label: string; value: string; origin?: string; set: (value: string) => void };

/** A value of a launch. A guessed one says where it comes from. */
function Field({ id, label, value, origin, set }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <KeptInput
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={value}
        aria-describedby={origin ? `${id}-origin` : undefined}
        onChange={(e) =>
          e.currentTarget.value.trim() ? set(e.currentTarget.value.trim()) : (e.currentTarget.value = value)
        }
      />
      {origin && (
        <p class="quiet" id={`${id}-origin`}>
          {origin}
        </p>
      )}
    </div>
  );
}
