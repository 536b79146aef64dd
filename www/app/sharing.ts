// What a person hands to others: the link, a file where no link holds the state, and the result as Markdown. It comes when it is asked
// for first.

import { s } from '../content/strings';
import { SHARING } from '../content/sharing';
import { isPageError } from '../engine/lost';
import type { Scenario } from '../engine/types';
import { copyText, save } from './hand-out';
import { citation, markdown } from './markdown';
import { keptFiles } from './kept/kept';
import { withOwnFiles } from './own-files';
import { engine, onScreen, tell } from './session';
import * as store from './store';
import { linkOf } from './url';

/** Bytes of the largest text that a file of a scenario carries. */
const TEXT_LIMIT = 2 ** 20;
const isText = (name: string) => /\.(cu|cuh|c|cc|cpp|cxx|h|hpp)$/i.test(name);

/** A scenario with the CUDA text that it runs. A long one is no part of it otherwise. */
async function withText(scenario: Scenario): Promise<Scenario> {
  const [only] = scenario.files;
  if (!only || scenario.files.length > 1 || scenario.cuda.text !== null) return scenario;
  if (!isText(only.name) || only.size > TEXT_LIMIT) return scenario;
  const found = await keptFiles([only]);
  return found?.[0] ? { ...scenario, cuda: { ...scenario.cuda, text: await found[0].text() } } : scenario;
}

async function complete(): Promise<Scenario> {
  const { base, ...scenario } = withOwnFiles(onScreen(), store.examples[0] ?? null, store.firstGpu);
  return { ...(await withText({ ...scenario, base: null })), base: base && (await withText(base)) };
}

const textIn = (hash: string | null | undefined) => new URLSearchParams(hash ?? '').has('cuda.text');

/** Whether a link carries all texts of its scenario. The engine leaves out those that do not fit, the baseline's first. */
function carriesAll(hash: string, { base, ...scenario }: Scenario): boolean {
  const wanted = base?.cuda.text ?? null;
  const own = scenario.cuda.text === null || textIn(hash);
  const shared = wanted === scenario.cuda.text && base?.files[0]?.sha256 === scenario.files[0]?.sha256;
  return own && (wanted === null || shared || textIn(new URLSearchParams(hash).get('base')));
}

/** The link with everything that it needs; null where it would be too long. */
async function wholeHash(): Promise<string | null> {
  if (store.unread.value !== null) return store.unread.value;
  const scenario = await complete();
  try {
    const hash = await engine.link(scenario);
    return carriesAll(hash, scenario) ? hash : null;
  } catch (error) {
    if (isPageError(error)) return null;
    throw error;
  }
}

export async function shareLink() {
  try {
    const hash = await wholeHash();
    store.tooLong.value = hash === null;
    if (hash === null) return store.confirm(SHARING.tooLong, true);
    const link = linkOf(hash);
    const copied = await copyText(link);
    store.shownLink.value = copied ? '' : link;
    store.confirm(copied ? s.export.copied : s.export.copyFailed, !copied);
  } catch (error) {
    tell(error);
  }
}

export async function saveScenario() {
  try {
    // As crates/share/src/scenario_file.rs reads it.
    const file = { warpscope: 'scenario', scenario: await complete() };
    save('warpscope-scenario.json', 'application/json', `${JSON.stringify(file, null, 1)}\n`);
    store.tooLong.value = false;
    store.confirm(SHARING.saved);
  } catch (error) {
    tell(error);
  }
}

/** What stands in an element, without the definitions of its terms, the arrows that sort and what says that it is the verdict. */
function words(node: Node | null | undefined): string {
  const copy = node?.cloneNode(true);
  if (copy instanceof Element) for (const one of copy.querySelectorAll('.term-note, .arrow, .eyebrow')) one.remove();
  return copy?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
}

/** The rows of a table as it stands. */
const rowsOf = (table: HTMLTableElement) => [...table.rows].map((row) => [...row.cells].map(words));

/** A picture that needs no other file. */
function pictureOf(svg: SVGElement): string {
  const bytes = new TextEncoder().encode(new XMLSerializer().serializeToString(svg));
  return `data:image/svg+xml;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** Copies text, or saves it where the browser lets no page copy. */
async function copyOrSave(text: string, name: string, copied: string) {
  if (await copyText(text)) store.confirm(copied);
  else save(name, 'text/plain', text);
}

/** The open tab's result: its sentence, its numbers, its first figure, and the link. */
export async function copyMarkdown() {
  try {
    const hash = await wholeHash();
    const page = document.getElementById('tab-panel');
    const svg = page?.querySelector<SVGElement>('.figure-frame > svg');
    const table = svg?.closest('.figure')?.querySelector<HTMLTableElement>('table');
    const facts = [...(page?.querySelectorAll('.facts > div') ?? [])];
    const text = markdown({
      sentence: words(page?.querySelector('.sentence') ?? page?.querySelector('h2')),
      of: words(page?.querySelector('#verdict-title')),
      facts: facts.map((fact) => [words(fact.querySelector('dt')), words(fact.querySelector('dd')?.firstChild)]),
      figure: svg ? { label: svg.getAttribute('aria-label') ?? '', address: pictureOf(svg) } : null,
      rows: table ? rowsOf(table) : [],
      all: Number(table?.dataset['rows'] ?? 0),
      link: hash === null ? null : linkOf(hash),
    });
    await copyOrSave(text, 'warpscope-result.md', SHARING.markdownCopied);
  } catch (error) {
    tell(error);
  }
}

export async function copyCitation() {
  try {
    const hash = await wholeHash();
    await copyOrSave(citation(linkOf(hash ?? ''), new Date()), 'warpscope-citation.txt', SHARING.citationCopied);
  } catch (error) {
    tell(error);
  }
}
