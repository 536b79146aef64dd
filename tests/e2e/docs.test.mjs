// The documentation beside the page: complete, without a dead link, readable for everybody, and true to the reports.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { words } from '../../scripts/docs/glossary.mjs';
import { isAllowed, crates, npmPackages } from '../../scripts/docs/licences.mjs';
import { keysOf } from '../../scripts/docs/report-keys.mjs';
import { THEMES, written } from '../../scripts/docs/site.mjs';
import { nativeJson } from '../native.mjs';
import { assertAccessible, assertFits, LOOKS, withPage } from './browser.mjs';
import { dist } from './launch.mjs';

const folder = path.join(dist, 'docs');
const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
const text = new Map(pages.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
const idsOf = (html) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

test('each page of docs/ is published, once', () => {
  const listed = THEMES.flatMap(([, names]) => names);
  assert.equal(new Set(listed).size, listed.length);
  assert.deepEqual(
    written().filter((name) => !listed.includes(name)),
    [],
  );
  for (const name of listed) assert.ok(text.has(`${name}.html`), name);
});

test('no link of the documentation is dead', () => {
  const dead = [];
  for (const [name, html] of text) {
    for (const [, href] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https:/.test(href)) continue;
      const [file, hash] = href.split('#');
      const at = file === '' ? name : file;
      if (!existsSync(path.join(folder, at))) dead.push(`${name}: ${href}`);
      else if (hash && !idsOf(text.get(at) ?? '').has(hash)) dead.push(`${name}: ${href}`);
    }
  }
  assert.deepEqual(dead, []);
});

test('the policy of each page allows its own style and pictures only', () => {
  for (const [name, html] of text) {
    assert.match(
      html,
      /content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"/,
      name,
    );
    assert.doesNotMatch(html, /<script|<iframe|style="| on\w+="/, name);
  }
});

test('each term of the page is in the glossary, with its definition, source and place', async () => {
  const { glossary, definitions, metrics } = await words();
  const html = text.get('glossary.html');
  const ids = idsOf(html);
  const terms = Object.keys(glossary);
  assert.ok(terms.length > 60);
  for (const term of terms) {
    assert.ok(ids.has(term), term);
    assert.ok(definitions[term].length > 20, term);
    assert.ok(metrics[term].source, term);
  }
  assert.equal(html.split('Source: ').length - 1, terms.length);
  assert.equal(html.split('Shown: ').length - 1, terms.length);
});

/** All keys of a report by the path of types, each with the key that it stands under. */
function keysIn(value, found = new Set()) {
  if (Array.isArray(value)) value.forEach((one) => keysIn(one, found));
  else if (value && typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) {
      // Distances and names are keys of their own.
      if (key === 'histogram' || key === 'parameters') found.add(key);
      else keysIn(inner, found.add(key));
    }
  return found;
}

test('each key of a real report is in the dictionary, and each key of the dictionary has a meaning', () => {
  const runs = {
    CacheReport: [
      ['cache', 'example:atax', '--warm'],
      ['cache', 'example:mb-mshr', '--model', 'reference'],
    ],
    GpuReport: [['cache', 'example:transpose-tiled', '--gpu', 'rtx3060', '--classes']],
  };
  for (const [report, commands] of Object.entries(runs)) {
    const members = [...keysOf(report).values()].flatMap((type) => type.members);
    for (const { key, meaning } of members) assert.ok(meaning, `${report}: ${key} has no meaning`);
    const known = new Set(members.map(({ key }) => key));
    for (const command of commands) {
      const missing = [...keysIn(nativeJson(...command))].filter((key) => !known.has(key));
      assert.deepEqual(missing, [], command.join(' '));
    }
  }
});

test('each package that is shipped has a licence that allows it, with its text', () => {
  const all = [...npmPackages(), ...crates()];
  assert.ok(all.length > 80);
  for (const { name, licence, texts } of all) {
    assert.ok(isAllowed(licence ?? ''), `${name}: ${licence}`);
    assert.ok(texts.length > 0, `${name} has no text of its licence`);
    assert.ok(text.get('licences.html').includes(`<td>${name}</td>`), name);
  }
});

test('licences that ask for more are not allowed', () => {
  for (const licence of ['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0/MIT', '(MIT OR Apache-2.0) AND Unicode-3.0'])
    assert.ok(isAllowed(licence), licence);
  for (const licence of ['GPL-3.0', 'MIT AND GPL-3.0', 'LGPL-2.1', '', 'SEE LICENSE IN FILE'])
    assert.ok(!isAllowed(licence), licence);
});

test('the pages are read on every screen, in both themes, without a fault', { timeout: 120_000 }, () =>
  withPage(async ({ page, browser, site }) => {
    await page.getByTestId('verdict').waitFor();
    for (const look of LOOKS) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...look });
      const tab = await context.newPage();
      for (const name of ['index.html', 'glossary.html', 'cli.html', 'accuracy.html', 'hosting.html']) {
        await tab.goto(`${site.url}docs/${name}`);
        await assertFits(tab);
        await assertAccessible(tab);
      }
      await context.close();
    }
  }),
);

test('a word of the page leads to its entry, and the help to the guide', () =>
  withPage(async ({ page, site }) => {
    await page.locator('.facts .term-button').first().click();
    const more = page.locator('.term-note:popover-open a');
    const href = await more.getAttribute('href');
    assert.ok(idsOf(text.get('glossary.html')).has(href.split('#')[1]), href);
    await page.keyboard.press('Escape');
    await page.locator('.top .round').click();
    const guide = page.locator('dialog.help').getByRole('link', { name: /^Documentation/ });
    const [opened] = await Promise.all([page.context().waitForEvent('page'), guide.click()]);
    await opened.waitForURL(`${site.url}docs/index.html`);
    await opened.getByRole('heading', { name: 'Guide by task' }).waitFor();
  }));

test('a definition covers neither the word nor its value, and a page that it names is a link', () =>
  withPage(
    async ({ page, site }) => {
      await page.getByTestId('verdict').waitFor();
      const words = page.locator('.facts .term-button');
      assert.ok((await words.count()) > 3);
      for (const word of await words.all()) {
        await word.click();
        const note = await page.locator('.term-note:popover-open').boundingBox();
        const fact = await word.evaluate((button) => button.closest('.facts > div').getBoundingClientRect().toJSON());
        assert.ok(note.y >= fact.bottom || note.y + note.height <= fact.top, await word.innerText());
        await page.keyboard.press('Escape');
      }
      await page.locator('.fact-note .term-button').first().click();
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'docs/accuracy.md' }).click(),
      ]);
      await opened.waitForURL(`${site.url}docs/accuracy.html`);
      await opened.locator('h1').waitFor();
    },
    { at: '#v=1&example=matmul-naive&gpu=rtx2080ti&model=gpu' },
  ));
