// The tabs: which there are, which is open, and what of each is part of the link.

import { computed } from '@preact/signals';
import type { ComponentType } from 'preact';
import { safely, showLink } from './session';
import * as store from './store';

/** What the module of a tab other than the first has to offer. */
export interface TabModule {
  default: ComponentType;
  /** Files that came while the tab is open; true when it keeps them for itself. */
  takeFiles?: (files: File[]) => Promise<boolean>;
  /** The title of an exercise of the course; null for any other. */
  titleOf?: (exercise: string) => string | null;
}

/** In the order of the tab bar. The first is part of the page itself. */
export const TABS = ['cache', 'kernel', 'reuse', 'topology', 'placement', 'learn', 'check'] as const;

export type TabId = (typeof TABS)[number];

export type TabLoaders = Record<Exclude<TabId, 'cache'>, () => Promise<TabModule>>;

/** How the code of each tab is fetched. The views say so at start, because nothing here may import a view. */
let loaders: TabLoaders | null = null;

export function registerTabs(all: TabLoaders) {
  loaders = all;
}

export const tab = computed(() => TABS.find((id) => id === store.scenario.value.view['tab']) ?? 'cache');

const loaded = new Map<TabId, Promise<TabModule>>();

/** The module of a tab. A failed attempt is not kept. */
export function loadTab(id: TabId): Promise<TabModule> {
  const known = loaded.get(id);
  if (known) return known;
  const load = id === 'cache' ? undefined : loaders?.[id];
  if (!load) return Promise.reject(new Error(`the tab ${id} has no loader`));
  const module = load();
  loaded.set(id, module);
  module.catch(() => loaded.delete(id));
  return module;
}

export function openTab(id: TabId) {
  setView('tab', id === 'cache' ? null : id);
}

/** A value that a tab keeps in the link; null when it is the tab's default. */
export function viewValue(key: string): string | null {
  return store.scenario.value.view[key] ?? null;
}

/** Changes such a value; `null` leaves it out of the link. */
export function setView(key: string, value: string | null) {
  const { [key]: _, ...rest } = store.scenario.value.view;
  store.scenario.value = { ...store.scenario.value, view: value === null ? rest : { ...rest, [key]: value } };
  void safely(() => showLink(true));
}

/** Shows a line of the source's CUDA text. */
export function openLine(line: number) {
  setView('kernel.line', String(line));
  openTab('kernel');
}

/** Opens a tab with files for it. */
export function openIn(id: TabId, files: File[]): Promise<void> {
  return safely(async () => {
    const module = await loadTab(id);
    openTab(id);
    await module.takeFiles?.(files);
  });
}

/** Offers files to the open tab before anybody else. */
export async function offerToTab(files: File[]): Promise<boolean> {
  if (tab.value === 'cache') return false;
  const module = await loadTab(tab.value);
  return (await module.takeFiles?.(files)) ?? false;
}
