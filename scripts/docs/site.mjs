// docs/*.md and what is generated from the code -> dist/docs: static pages under the same policy as the page, without scripts.
//
//   node scripts/docs/site.mjs [folder]
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { glossaryPage } from './glossary.mjs';
import { licencesPage } from './licences.mjs';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** The pages by theme, in the order in which a newcomer reads them. A test fails while a page of docs/ is in none. */
export const THEMES = [
  ['Use it', ['guide', 'inputs', 'links', 'sweep', 'why', 'exercises', 'terminal', 'cli', 'dask']],
  ['Models and limits', ['machine-model', 'cache-models', 'launch', 'sass', 'reuse', 'topologies', 'placement']],
  ['How sure the numbers are', ['accuracy', 'papers', 'speed', 'comparison']],
  ['Look up', ['glossary', 'topology-format', 'hosting', 'cite', 'licences']],
  ['For developers', ['release', 'translate', 'duplicates', 'dependencies']],
];

/** Pages that are made from the code. */
const GENERATED = { glossary: glossaryPage, licences: licencesPage };

export const written = () =>
  readdirSync(path.join(top, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort();

const escaped = (text) =>
  text.replaceAll(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

/** The anchor of a heading, as code hosts make it. */
export const anchor = (text) =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]*>|&[a-z]+;/g, '')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Where a link of the sources leads on the site; null for what is not part of it. */
function target(href, pages) {
  if (/^(https:|#)/.test(href)) return href;
  const [, name, hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (pages.includes(name)) return `${name}.html${hash}`;
  return /^[\w-]+\.(png|html|json)(#.*)?$/.test(href) ? href : null;
}

function markedFor(pages) {
  const renderer = {
    heading({ tokens, depth }) {
      // `{#name}` behind a heading is its anchor.
      const [, inner, own] = /^(.*?)(?:\s*\{#([\w-]+)\})?$/s.exec(this.parser.parseInline(tokens));
      return `<h${depth} id="${own ?? anchor(inner)}">${inner}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const to = target(href, pages);
      if (to === null) return inner;
      return `<a href="${escaped(to)}"${to.startsWith('https:') ? ' rel="noopener noreferrer"' : ''}>${inner}</a>`;
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    // Tags in the sources are text, as they are in messages of the terminal.
    html: ({ text }) => escaped(text),
  };
  const marked = new Marked({ gfm: true, renderer });
  // A wide table scrolls by itself, also by keys.
  return (text) =>
    marked
      .parse(text)
      .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>');
}

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

function shell(name, title, body, titles) {
  const entry = (page) =>
    `<li><a href="${page}.html"${page === name ? ' aria-current="page"' : ''}>${escaped(titles.get(page))}</a></li>`;
  const themes = THEMES.map(([theme, pages]) => `<h2>${theme}</h2>\n<ul>\n${pages.map(entry).join('\n')}\n</ul>`).join(
    '\n',
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)} · Warpscope</title>
    <link rel="stylesheet" href="docs.css" />
    <link rel="icon" href="../icon-192.png" />
  </head>
  <body>
    <header><a class="skip" href="#main">Skip to the text</a><p><a href="../index.html">Warpscope</a> · documentation</p></header>
    <nav aria-label="Pages">
${themes}
    </nav>
    <main id="main">
${body}
    </main>
  </body>
</html>
`;
}

/** Writes the site into `folder`/docs. */
export async function writeDocs(folder) {
  const out = path.join(folder, 'docs');
  mkdirSync(out, { recursive: true });
  const pages = THEMES.flatMap(([, names]) => names);
  const text = new Map();
  for (const name of pages) {
    const make = GENERATED[name];
    text.set(name, make ? await make() : readFileSync(path.join(top, 'docs', `${name}.md`), 'utf8'));
  }
  const titles = new Map(pages.map((name) => [name, /^# (.*)$/m.exec(text.get(name))[1].replaceAll('`', '')]));
  const parse = markedFor(pages);
  for (const name of pages)
    writeFileSync(path.join(out, `${name}.html`), shell(name, titles.get(name), parse(text.get(name)), titles));
  writeFileSync(path.join(out, 'index.html'), shell('guide', titles.get('guide'), parse(text.get('guide')), titles));
  const css = ['styles/tokens.css', 'docs/docs.css'].map((name) => readFileSync(path.join(top, 'www', name), 'utf8'));
  writeFileSync(path.join(out, 'docs.css'), css.join('\n'));
  for (const name of readdirSync(path.join(top, 'docs')).filter((file) => file.endsWith('.png')))
    copyFileSync(path.join(top, 'docs', name), path.join(out, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeDocs(process.argv[2] ?? 'dist');
