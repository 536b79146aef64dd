// Checks what the project is built from, without the network: each package of npm and each crate comes from a registry with a checksum,
// what is shipped has an allowed licence, and the dated list of advisories (docs/advisories.json) is of these very lock files.
//
//   npm run check:dependencies              fails where one of these does not hold
//   npm run check:dependencies -- --write   asks npm's registry for advisories, and writes the list anew
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crates, isAllowed, npmPackages } from '../docs/licences.mjs';

const top = new URL('../../', import.meta.url);
const LIST = new URL('docs/advisories.json', top);
const read = (name) => readFileSync(new URL(name, top), 'utf8');
const hash = (name) => createHash('sha256').update(read(name)).digest('hex');
const LOCKS = ['package-lock.json', 'Cargo.lock'];

/** What npm's registry knows against the packages of the lock file; null where it does not answer. */
function audit() {
  const asked = spawnSync('npm', ['audit', '--json'], { cwd: fileURLToPath(top), encoding: 'utf8' });
  const { vulnerabilities } = JSON.parse(asked.stdout || '{}');
  return vulnerabilities
    ? Object.values(vulnerabilities).map(({ name, severity, range }) => ({ name, severity, range }))
    : null;
}

function write() {
  const list = {
    date: new Date().toISOString().slice(0, 10),
    locks: Object.fromEntries(LOCKS.map((name) => [name, hash(name)])),
    npm: audit(),
    // The advisories of RustSec are in a Git repository, not in a registry: `cargo audit` asks it where it can be reached.
    cargo: null,
  };
  writeFileSync(LIST, `${JSON.stringify(list, null, 1)}\n`);
}

if (process.argv.includes('--write')) write();

const faults = [];
for (const [name, { integrity, link }] of Object.entries(JSON.parse(read('package-lock.json')).packages))
  if (name !== '' && !link && !integrity) faults.push(`${name}: no checksum in package-lock.json`);
for (const block of read('Cargo.lock').split('[[package]]').slice(1)) {
  const [, name] = /name = "(.*)"/.exec(block);
  const source = /source = "(.*)"/.exec(block)?.[1];
  if (source && !(source.startsWith('registry+') && /checksum = "[0-9a-f]{64}"/.test(block)))
    faults.push(`${name}: ${source}`);
}
for (const { name, licence } of [...npmPackages(), ...crates()])
  if (!isAllowed(licence ?? '')) faults.push(`${name}: licence ${licence}`);

const list = JSON.parse(readFileSync(LIST, 'utf8'));
for (const { name, severity, range } of list.npm ?? [])
  faults.push(`${name} ${range}: advisory, ${severity} (${list.date})`);
for (const name of LOCKS)
  if (list.locks[name] !== hash(name))
    faults.push(`the advisories of ${list.date} are of another ${name}; run it with --write`);

for (const fault of faults) console.error(fault);
const known = (kind) => (list[kind] === null ? 'not asked' : `${list[kind].length} known`);
console.log(`${faults.length} faults. Advisories on ${list.date}: npm ${known('npm')}, cargo ${known('cargo')}.`);
process.exit(faults.length === 0 ? 0 : 1);
