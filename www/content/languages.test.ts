// Every language has every word: the same names as English, and no English sentence under them.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { build } from 'esbuild';
import languages from './languages.json';

const folder = 'www/content';
/** Modules without words of their own: every language has them as they are. `metrics` is of the documentation, which is English. */
const WORDLESS = [
  'conclusion',
  'exercise-text',
  'gpu-numbers',
  'margin',
  'metrics',
  'placement-numbers',
  'say',
  'shares',
  'time-errors',
  'translated',
];
const modules = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -3))
  .filter((name) => !WORDLESS.includes(name));
const others = Object.keys(languages).filter((language) => language !== 'en');

/** The words of a module, as this language's bundle has them. */
async function load(module: string): Promise<Record<string, unknown>> {
  const { outputFiles } = await build({
    entryPoints: [`${folder}/${module}.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    charset: 'utf8',
  });
  return (await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`
  )) as never;
}

/** All that is said, by its path: strings, and the source of functions that make them. */
function* said(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'function') yield [path, String(value)];
  else if (value && typeof value === 'object')
    for (const [key, part] of Object.entries(value)) yield* said(part, `${path}.${key}`);
}

/** Names that are the same in every language. */
const NAMES =
  /The Warpscope authors\. Warpscope: a zero-install lab for the GPU memory hierarchy|Nsight Compute|NVBit mem_trace|Warpscope|CUDA C\+\+|NVIDIA|GeForce RTX \d+( Ti)?|Chrome|Edge|Valgrind lackey|Dinero din|CUTracer NDJSON|Ocelot|Accel-Sim|libCacheSim oracleGeneral|Kolmogorov–Smirnov|Krämer–Langenbach-Belz|Ctrl Enter|warpscope reuse FILE --engine hp-rda|warpscope exercise (?:grade|lock)/g;

/** Three words in a row that only Latin letters spell, outside of code that puts values in. */
const SENTENCE = /[A-Za-z]{2,}(?:[,;:]? [A-Za-z]{2,}){2,}/;

/** What the literals of a function say, without the code between them. */
const literals = (source: string) =>
  (source.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? []).map((text) => text.replace(/\$\{[^}]*\}/g, '…')).join('\n');

for (const language of others) {
  test(`${language}: each module of words is translated, with all of its names`, async () => {
    const missing: string[] = [];
    for (const module of modules) {
      if (!existsSync(`${folder}/${language}/${module}.ts`)) missing.push(module);
      else {
        const [english, own] = await Promise.all([load(module), load(`${language}/${module}`)]);
        const has = new Set([...said(own, module)].map(([path]) => path));
        missing.push(...[...said(english, module)].map(([path]) => path).filter((path) => !has.has(path)));
      }
    }
    assert.deepEqual(missing, []);
  });

  test(`${language}: no English sentence is left in its words`, () => {
    const left = readdirSync(`${folder}/${language}`)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(`${folder}/${language}/${file}`, 'utf8')
          .replace(/^\s*(\/\/|\/?\*).*$/gm, '')
          .replace(/^(import|export) [^;]*?from '[^']*';/gms, '');
        return (
          literals(text)
            .replace(NAMES, '…')
            .split('\n')
            // A backtick inside a pattern makes code look like a literal.
            .filter((line) => !line.startsWith('export ') && SENTENCE.test(line))
            .map((line) => `${file}: ${line.trim()}`)
        );
      });
    assert.deepEqual(left, []);
  });
}

test('the document says without a script what the English page says', async () => {
  const html = readFileSync('index.html', 'utf8');
  const { page } = (await load('document')) as { page: { title: string; description: string } };
  assert.equal(/<title>([^<]*)</.exec(html)?.[1], page.title);
  assert.equal(/name="description" content="([^"]*)"/.exec(html)?.[1], page.description);
});
