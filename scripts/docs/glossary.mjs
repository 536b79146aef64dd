// The glossary and the dictionary of the reports' keys, from the page's own words and from the types that Rust writes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { keysOf, REPORTS } from './report-keys.mjs';

const www = fileURLToPath(new URL('../../www/', import.meta.url));

/** The page's words, compiled. */
export async function words() {
  const made = await build({
    stdin: {
      contents: `export { glossary } from './content/glossary'; export { definitions } from './content/definitions';
        export { metrics } from './docs/metrics'; export { s } from './content/strings';`,
      resolveDir: www,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    logLevel: 'error',
  });
  return import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString('base64')}`);
}

/** The sources of the page by their path in www/, without tests and the words themselves. */
function sources() {
  const found = new Map();
  for (const name of readdirSync(www, { recursive: true })) {
    if (!/\.tsx?$/.test(name) || /\.test\.|generated|content\/(glossary|definitions)\.ts$/.test(name)) continue;
    found.set(name.replace(/\.tsx?$/, ''), readFileSync(path.join(www, name), 'utf8'));
  }
  return found;
}

/** Who imports each source. */
function importers(all) {
  const found = new Map([...all.keys()].map((name) => [name, []]));
  for (const [name, text] of all)
    for (const [, from] of text.matchAll(/(?:from|import\(.*?)\s*'(\.[^']*)'/g)) {
      const to = path.join(path.dirname(name), from);
      (found.get(to) ?? found.get(`${to}/index`))?.push(name);
    }
  return found;
}

/** The tabs that show each term: those whose views name it or use what names it. */
export function placesOf(terms, names) {
  const all = sources();
  const users = importers(all);
  const tabsAbove = (start) => {
    const [seen, tabs] = [new Set(), new Set()];
    const climb = (name) => {
      if (seen.has(name)) return;
      seen.add(name);
      const [kind, folder] = name.split('/');
      // A view of a tab shows what it imports; the frame around the tabs shows nothing of a term.
      if (kind === 'views') return void (names[folder] && tabs.add(names[folder]));
      for (const user of users.get(name)) climb(user);
    };
    climb(start);
    return tabs;
  };
  // Where a term is given to what shows it: `<Term id=…>`, `term=…` or `term: …`, the columns of tables, and tables of terms.
  const named = (term, text) =>
    new RegExp(
      `(<Term id=|\\bterm=|\\bterm: )["'{\`]*${term}["'\`]|Column\\([^;]*?'${term}',?\\s*\\)|TermId>+ = \\{[^}]*'${term}'`,
    ).test(text) || text.includes(`<Term id={\`${term.slice(0, term.indexOf('_') + 1)}\${`);
  return new Map(
    terms.map((term) => {
      const naming = [...all].filter(([, text]) => named(term, text)).map(([name]) => name);
      return [term, [...new Set(naming.flatMap((name) => [...tabsAbove(name)]))].sort()];
    }),
  );
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '\\<');

/** The page as Markdown. */
export async function glossaryPage() {
  const { glossary, definitions, metrics, s } = await words();
  const terms = Object.keys(glossary);
  const places = placesOf(terms, s.tabs.names);
  const entries = terms.map((term) => {
    const { unit, formula, source } = metrics[term];
    const shown = places.get(term);
    const facts = [
      unit && `Unit: ${unit}.`,
      formula && `Formula: ${formula}.`,
      `Source: ${source}.`,
      `Shown: ${shown.length > 0 ? shown.join(', ') : 'Help'}.`,
    ];
    return `### ${glossary[term]} {#${term}}\n\n${definitions[term]}\n\n${facts.filter(Boolean).join(' ')}\n`;
  });
  const reports = Object.entries(REPORTS).map(([report, title]) => {
    const types = [...keysOf(report)].map(([name, { members, meaning }]) => {
      const rows = members.map(({ key, type, meaning: what }) => `| \`${key}\` | \`${cell(type)}\` | ${cell(what)} |`);
      const table = rows.length > 0 ? `\n| key | type | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n` : '';
      return `#### ${name}\n\n${cell(meaning)}\n${table}`;
    });
    return `### ${title}\n\n${types.join('\n')}`;
  });
  return `# Glossary and metric dictionary

This page is made from the words of the page and the types of the engine when the page is built.

## Words

${entries.join('\n')}

## Keys of the reports as JSON

What "Report as JSON" saves and \`warpscope cache --format json\` prints.

${reports.join('\n')}`;
}
