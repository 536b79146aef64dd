// The scenario lives in the URL's hash. A change of it is a step of the browser's history; what comes out of a run is none. The hash
// also names the language, which is no part of the scenario: nothing but this file sees it.

import { page } from '../content/document';
import { namedIn, withLanguage, withoutLanguage } from './language';
import type { Scenario } from '../engine/types';
import { fieldsOf, nextStep, type Step } from './history';

/** The step that the address is at; null until the page shows something. */
let present: Step | null = null;
/** Counts the links that were followed. */
let links = 0;
/** A link is being followed: what the address becomes of itself meanwhile is the same step. */
let landing = false;
/** What the link says that is being followed; null until it has been read. */
let target: Scenario | null = null;

export function currentHash(): string {
  return withoutLanguage(location.hash.replace(/^#/, ''));
}

const spoken = (hash: string) => withLanguage(hash, page.language, navigator.languages);
const addressOf = (hash: string) => (spoken(hash) ? `#${spoken(hash)}` : location.pathname + location.search);
/** Marks the entries that the page has written, and those whose settings wait for a person to run them. */
interface Mark {
  warpscope: true;
  waits: boolean;
}
const markOfEntry = () => history.state as Mark | null;

/** The entry that the person went to has settings that wait to be run. */
export const isWaitingEntry = () => markOfEntry()?.waits === true;

/** The hash that the page has written or followed. */
let known = location.hash;

/** Writes the address, unless the person has just gone to another one: its event is on the way. */
function write(how: 'pushState' | 'replaceState', hash: string, waits = false) {
  if (location.hash !== known) return;
  const mark: Mark = { warpscope: true, waits };
  history[how](mark, '', addressOf(hash));
  known = location.hash;
}

/** Changes the address, and nothing of the history. */
export const showHash = (hash: string) => write('replaceState', hash);

/**
 * Changes the address to that of a scenario: a step of its own where it differs from the present one. `waits`: nobody has run it. `chosen`: a
 * person did it, so that it is a step also while a link is followed.
 */
export function showStep(hash: string, scenario: Scenario, { waits = false, chosen = false } = {}) {
  const { step, isNew } = nextStep(landing && !chosen ? null : present, fieldsOf(scenario), performance.now());
  present = step;
  write(isNew ? 'pushState' : 'replaceState', hash, waits);
}

/** Follows a link. What the page wrote before is void. */
export async function land(follow: () => Promise<void>): Promise<void> {
  const link = ++links;
  landing = true;
  target = null;
  present = null;
  known = location.hash;
  try {
    await follow();
  } finally {
    if (link === links) landing = false;
  }
}

/** What a followed link says: a change that comes before its run has ended is a step after it. */
export function landOn(linked: Scenario) {
  target = linked;
  present = nextStep(null, fieldsOf(linked), 0).step;
}

/** What the link says that is being followed. */
export const landingOn = () => (landing ? target : null);

/** How many links were followed: an address that was made before the last of them is none any more. */
export const landings = () => links;

/** The whole link, as copied. */
export function linkOf(hash: string): string {
  return `${location.origin}${location.pathname}${location.search}#${spoken(hash)}`;
}

/** Calls back when the person follows or pastes another link, or goes `back` or forward to one that the page has written. */
export function onHashChange(heard: (hash: string, back: boolean) => void) {
  addEventListener('hashchange', () => {
    const named = namedIn(location.hash.slice(1));
    // Its words are in another bundle.
    if (named !== null && named !== page.language) return location.reload();
    heard(currentHash(), markOfEntry()?.warpscope === true);
  });
}
