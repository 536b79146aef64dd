// Single-key shortcuts. They rest while the person types, and can be switched off (WCAG 2.1.4).

import { effect, signal } from '@preact/signals';
import * as actions from './actions';
import { only, showAll } from './filter';
import { recall, remember } from './memory';
import { copyLink } from './output';
import * as store from './store';
import { openTab, TABS } from './tabs';
import { nextTheme } from './theme';

export const singleKeys = signal(recall('single-keys') !== 'off');

const focus = (id: string) => document.getElementById(id)?.focus();

const bindings: Record<string, () => void> = {
  '?': () => (store.helpOpen.value = !store.helpOpen.value),
  o: () => document.getElementById('file-input')?.click(),
  e: () => focus('example'),
  r: () => void actions.rerun(),
  c: () => void copyLink(),
  t: nextTheme,
  v: () => focus('result'),
  j: () => stepKernel(1),
  k: () => stepKernel(-1),
};

TABS.forEach((id, i) => (bindings[i + 1] = () => openTab(id)));

function stepKernel(by: number) {
  const last = (store.result.value?.report.kernels.length ?? 1) - 1;
  store.kernel.value = Math.min(last, Math.max(0, (store.kernel.value ?? 0) + by));
}

function typing(target: EventTarget | null): boolean {
  const el = target as HTMLElement | null;
  const tag = el?.tagName;
  if (tag === 'INPUT') return !['checkbox', 'radio', 'button', 'file'].includes((el as HTMLInputElement).type);
  return tag === 'TEXTAREA' || tag === 'SELECT' || el?.isContentEditable === true;
}

export function startKeys() {
  effect(() => remember('single-keys', singleKeys.value ? 'on' : 'off'));
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && store.busy.value) return void actions.cancel();
    if (event.key === 'Escape' && only.value && !document.querySelector('dialog[open]')) return showAll();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (!singleKeys.value || typing(event.composedPath()[0] ?? null)) return;
    if (event.key !== '?' && document.querySelector('dialog[open]')) return;
    const act = bindings[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
