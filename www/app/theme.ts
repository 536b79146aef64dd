// Light, dark, or as the system says; remembered where the browser allows it.

import { effect, signal } from '@preact/signals';
import { recall, remember } from './memory';

export type Theme = 'auto' | 'light' | 'dark';
export const THEMES: Theme[] = ['auto', 'light', 'dark'];

const system = matchMedia('(prefers-color-scheme: dark)');
const stored = recall('theme');
export const theme = signal<Theme>(THEMES.find((t) => t === stored) ?? 'auto');
/** What is on screen: charts are drawn for it. */
export const dark = signal(system.matches);

export function startTheme() {
  const apply = () => {
    dark.value = theme.value === 'auto' ? system.matches : theme.value === 'dark';
    document.documentElement.dataset['theme'] = dark.value ? 'dark' : 'light';
  };
  effect(() => {
    apply();
    remember('theme', theme.value);
  });
  system.addEventListener('change', apply);
}

export function nextTheme() {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
}
