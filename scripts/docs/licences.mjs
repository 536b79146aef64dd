// The licences of all that is shipped: packages of npm in the page, crates in the engine and the command.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** Licences that ask for no more than to be named with their texts. */
export const ALLOWED =
  /^(MIT|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|ISC|0BSD|Zlib|Unicode-3\.0|Unlicense|CC0-1\.0|BSL-1\.0|LLVM-exception)$/;

/** Whether an expression of SPDX is met by allowed licences: one side of each `OR`, both of each `AND`. */
export function isAllowed(expression) {
  const any = expression
    .replaceAll(/[()]/g, ' ')
    .replaceAll('/', ' OR ')
    .split(/\sOR\s/);
  return any.some((all) => all.split(/\s(?:AND|WITH)\s/).every((one) => ALLOWED.test(one.trim())));
}

/** The packages that the page's sources import. */
function imported() {
  const found = new Set();
  for (const name of readdirSync(path.join(top, 'www'), { recursive: true })) {
    if (!/\.tsx?$/.test(name) || /\.test\./.test(name)) continue;
    const text = readFileSync(path.join(top, 'www', name), 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import)\s*\(?\s*'([^'.][^']*)'/g)) {
      const [scope, rest] = from.split('/');
      found.add(scope.startsWith('@') ? `${scope}/${rest}` : scope);
    }
  }
  return [...found];
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Texts of a folder that are licences. */
const textsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice|unlicense)/i.test(name))
    .sort()
    .map((name) => path.join(folder, name))
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      try {
        return [readFileSync(file, 'utf8').trim()];
      } catch {
        return []; // a folder of that name
      }
    });

/** Those packages of npm and all that they need. */
export function npmPackages() {
  const found = new Map();
  const add = (name) => {
    const folder = path.join(top, 'node_modules', name);
    if (found.has(name) || !existsSync(folder)) return;
    const { version, license, dependencies = {} } = readJson(path.join(folder, 'package.json'));
    found.set(name, { name, version, licence: license, texts: textsIn(folder) });
    Object.keys(dependencies).forEach(add);
  };
  imported().forEach(add);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a package of the workspace is built from for a target. */
function builtFrom(root, target) {
  const asked = ['metadata', '--quiet', '--locked', '--format-version', '1', '--filter-platform', target];
  const told = execFileSync('cargo', asked, { cwd: top, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });
  const { packages, resolve, workspace_members: own } = JSON.parse(told);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const shipped = new Set();
  const add = (id) => {
    if (shipped.has(id)) return;
    shipped.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) add(pkg);
  };
  add(packages.find((one) => one.name === root && own.includes(one.id)).id);
  return packages.filter(({ id }) => shipped.has(id) && !own.includes(id));
}

/** The crates that the engine and the command are built from. */
export function crates() {
  const host = /^host: (.*)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))[1];
  const all = [...builtFrom('warpscope', 'wasm32-unknown-unknown'), ...builtFrom('warpscope-cli', host)];
  const found = new Map();
  for (const { id, name, version, license, manifest_path: manifest } of all)
    found.set(id, { name, version, licence: license, texts: textsIn(path.dirname(manifest)) });
  const key = ({ name, version }) => `${name} ${version}`;
  return [...found.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const rows = (list) => list.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join('\n');

/** The page as Markdown. */
export async function licencesPage() {
  const [page, engine] = [npmPackages(), crates()];
  const users = new Map();
  for (const { name, texts } of [...page, ...engine])
    for (const text of texts) users.set(text, [...(users.get(text) ?? []), name]);
  const texts = [...users].map(
    ([text, names]) => `### ${[...new Set(names)].join(', ')}\n\n\`\`\`\`text\n${text}\n\`\`\`\``,
  );
  return `# Licences

Warpscope itself is under MIT or Apache-2.0, as you choose. It is built from these packages. The list is made when the page is built.

## In the page

| package | version | licence |
| --- | --- | --- |
${rows(page)}

## In the engine and the command

| crate | version | licence |
| --- | --- | --- |
${rows(engine)}

## Their texts

${texts.join('\n\n')}
`;
}
