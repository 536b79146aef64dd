// The library's kernels by lesson, as a menu and as a gallery, with what the chosen one teaches.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { examples } from '../app/store';
import { gallery, LESSONS } from '../content/gallery';
import { Lazy } from './lazy';
import { say } from '../content/messages';

interface Props {
  label: string;
  /** The example in use; empty when there is none. */
  current: string;
  /** What the list shows then. */
  none: string;
  choose: (id: string) => void;
  /** What stands behind the lesson. */
  children?: ComponentChildren;
}

const load = () => import(/* webpackChunkName: 'gallery' */ './gallery').then((module) => module.Gallery);

export function ExampleChoice({ label, current, none, choose, children }: Props) {
  const [open, setOpen] = useState(false);
  const lesson = examples.find((e) => e.id === current)?.lesson;
  return (
    <>
      <div class="field">
        <label for="example">{label}</label>
        <select id="example" value={current} onChange={(e) => e.currentTarget.value && choose(e.currentTarget.value)}>
          {current === '' && <option value="">{none}</option>}
          {LESSONS.map(({ name, kernels }) => (
            <optgroup key={name} label={name}>
              {kernels.map((id) => (
                <option key={id} value={id}>
                  {say(examples.find((e) => e.id === id)?.title ?? '')}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <button type="button" class="link-button" onClick={() => setOpen(true)}>
          {gallery.open}
        </button>
        {open && <Lazy load={load} props={{ current, choose, close: () => setOpen(false) }} silent />}
      </div>
      {lesson && (
        <p class="lesson">
          {say(lesson)}
          {children && <> {children}</>}
        </p>
      )}
    </>
  );
}
