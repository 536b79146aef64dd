// The one hidden file input of the page, and buttons that open it.

import type { ComponentChildren } from 'preact';
import { openFiles } from '../app/sources';
import { s } from '../content/strings';

export function FileInput() {
  return (
    <input
      id="file-input"
      type="file"
      multiple
      hidden
      aria-label={s.source.button}
      onChange={(event) => {
        const input = event.currentTarget;
        const files = [...(input.files ?? [])];
        input.value = ''; // so that the same file can be chosen again
        void openFiles(files);
      }}
    />
  );
}

export function OpenButton({ children, primary }: { children: ComponentChildren; primary?: boolean }) {
  return (
    <button
      type="button"
      class={primary ? 'primary' : undefined}
      onClick={() => document.getElementById('file-input')?.click()}
    >
      {children}
    </button>
  );
}
