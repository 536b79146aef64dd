// Checks what the project is built from, without the network: each package of npm and each crate comes from a registry with a checksum,
// what is shipped has an allowed licence, docs/dependencies.md says why each is here, and no advisory of the dated list
// (docs/advisories.json) holds for the versions of the lock files. Who was not asked about is a fault too.
//
//   npm run check:dependencies              fails where one of these does not hold
//   npm run check:dependencies -- --write   asks npm's registry for advisories, and keeps what was entered by hand where it does not answer
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import semver from 'semver';
import { crates, isAllowed, npmPackages } from '../docs/licences.mjs';

const top = new URL('../../', import.meta.url);
const LIST = new URL('docs/advisories.json', top);
const read = (name) => readFileSync(new URL(name, top), 'utf8');
const hash = (name) => createHash('sha256').update(read(name)).digest('hex');
const LOCKS = ['package-lock.json', 'Cargo.lock'];

const entries = Object.entries(JSON.parse(read('package-lock.json')).packages).filter(
  ([at, { link }]) => at !== '' && !link,
);
/** One for a kind of machine is a part of the package that brings it. */
const packages = entries
  .filter(([, { cpu }]) => !cpu)
  .map(([at, { version }]) => ({ name: at.replace(/.*node_modules\//, ''), version }));

/** What npm's registry knows against the packages of the lock file; null where it does not answer. */
function audit() {
  const answer = spawnSync('npm', ['audit', '--json'], { cwd: fileURLToPath(top), encoding: 'utf8' });
  const { vulnerabilities } = JSON.parse(answer.stdout || '{}');
  if (!vulnerabilities) return null;
  const known = Object.values(vulnerabilities).map(({ name, severity, range }) => ({
    name,
    id: severity,
    affected: range,
  }));
  return { source: 'npm audit', asked: [...new Set(packages.map(({ name }) => name))].sort(), known };
}

function write() {
  const { npm, cargo } = JSON.parse(readFileSync(LIST, 'utf8'));
  const list = {
    date: new Date().toISOString().slice(0, 10),
    locks: Object.fromEntries(LOCKS.map((name) => [name, hash(name)])),
    npm: audit() ?? npm,
    // The advisories of RustSec are in a Git repository, not in a registry: they are entered by hand, and `cargo audit` asks for them
    // where that repository can be reached. A crate that is new in the lock file is then a fault.
    cargo,
  };
  writeFileSync(LIST, `${JSON.stringify(list, null, 1)}\n`);
}

if (process.argv.includes('--write')) write();

const faults = [];
for (const [at, { integrity }] of entries) if (!integrity) faults.push(`${at}: no checksum in package-lock.json`);
const locked = [];
for (const block of read('Cargo.lock').split('[[package]]').slice(1)) {
  const field = (name) => new RegExp(`${name} = "(.*)"`).exec(block)?.[1];
  const [name, source] = [field('name'), field('source')];
  if (!source) continue; // a crate of this workspace
  locked.push({ name, version: field('version') });
  if (!(source.startsWith('registry+') && /checksum = "[0-9a-f]{64}"/.test(block))) faults.push(`${name}: ${source}`);
}
for (const { name, licence } of [...npmPackages(), ...crates()])
  if (!isAllowed(licence ?? '')) faults.push(`${name}: licence ${licence}`);

/** What is asked for by name: of npm, and of crates that are not ours. */
const direct = ['package.json', 'tests/firefox/package.json'].flatMap((name) => {
  const { dependencies, devDependencies } = JSON.parse(read(name));
  return Object.keys({ ...dependencies, ...devDependencies });
});
const wanted = read('Cargo.toml').split('[workspace.dependencies]')[1].split(/^\[/m)[0];
for (const [, name, how] of wanted.matchAll(/^([\w-]+) = (.*)$/gm)) if (!how.includes('path =')) direct.push(name);
const explained = [...read('docs/dependencies.md').matchAll(/^\| `(.*?)` \| (.+) \|$/gm)].map(([, name]) => name);
for (const name of direct)
  if (!explained.includes(name)) faults.push(`${name}: docs/dependencies.md does not say why it is here`);
for (const name of explained)
  if (!direct.includes(name)) faults.push(`${name}: docs/dependencies.md explains it, and nothing asks for it`);

const list = JSON.parse(readFileSync(LIST, 'utf8'));
/** Whether a version is in one of the ranges; cargo joins conditions by commas. */
const within = (version, ranges) => ranges.some((range) => semver.satisfies(version, range.replaceAll(',', ' ')));
/** The faults of what is locked, where `holds` says whether an advisory is of a version. */
function judge({ source, asked, known }, all, holds) {
  for (const { name, version } of all) {
    if (!asked.includes(name)) faults.push(`${name}: nobody asked about it; look for it in ${source}`);
    for (const one of known)
      if (one.name === name && holds(one, version)) faults.push(`${name} ${version}: ${one.id} (${list.date})`);
  }
}
judge(list.npm, packages, ({ affected }, version) => within(version, [affected]));
judge(list.cargo, locked, ({ patched, unaffected }, version) => !within(version, [...patched, ...unaffected]));
for (const name of LOCKS)
  if (list.locks[name] !== hash(name))
    faults.push(`the advisories of ${list.date} are of another ${name}; run it with --write`);

for (const fault of faults) console.error(fault);
console.log(`${faults.length} faults. Advisories on ${list.date}:`);
for (const [of, { asked, known, source }] of Object.entries({ npm: list.npm, cargo: list.cargo }))
  console.log(`  ${of}: ${asked.length} asked, ${known.length} known, by ${source}`);
process.exit(faults.length === 0 ? 0 : 1);
