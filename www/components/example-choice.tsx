// The list of the library's kernels, with what the chosen one teaches.

import type { ComponentChildren } from 'preact';
import { examples } from '../app/store';

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

export function ExampleChoice({ label, current, none, choose, children }: Props) {
  const lesson = examples.find((e) => e.id === current)?.lesson;
  return (
    <>
      <div class="field">
        <label for="example">{label}</label>
        <select id="example" value={current} onChange={(e) => e.currentTarget.value && choose(e.currentTarget.value)}>
          {current === '' && <option value="">{none}</option>}
          {examples.map((e) => (
            <option key={e.id} value={e.id}>
              {e.title}
            </option>
          ))}
        </select>
      </div>
      {lesson && (
        <p class="lesson">
          {lesson}
          {children && <> {children}</>}
        </p>
      )}
    </>
  );
}
