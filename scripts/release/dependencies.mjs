// Checks what the project is built from, without the network: each package of npm and each crate comes from a registry with a checksum,
// what is shipped has an allowed licence, and no advisory of the dated list (docs/advisories.json) holds for the versions of the lock
// files. Who was not asked about is a fault too.
//
//   npm run check:dependencies              fails where one of these does not hold
//   npm run check:dependencies -- --write   asks npm's registry for advisories, and keeps the crates' list for crates of the same name
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
    // The advisories of RustSec are in a Git repository, not in a registry: they are entered by hand, and `cargo audit` asks for them
    // where that repository can be reached. A crate that is new in the lock file is then a fault.
    cargo: JSON.parse(readFileSync(LIST, 'utf8')).cargo,
  };
  writeFileSync(LIST, `${JSON.stringify(list, null, 1)}\n`);
}

if (process.argv.includes('--write')) write();

const faults = [];
for (const [name, { integrity, link }] of Object.entries(JSON.parse(read('package-lock.json')).packages))
  if (name !== '' && !link && !integrity) faults.push(`${name}: no checksum in package-lock.json`);
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

const list = JSON.parse(readFileSync(LIST, 'utf8'));
if (list.npm === null)
  faults.push("npm: no source was asked for advisories; run it with --write where npm's registry answers `npm audit`");
for (const { name, severity, range } of list.npm ?? [])
  faults.push(`${name} ${range}: advisory, ${severity} (${list.date})`);
/** Whether a version is in one of the ranges; cargo joins conditions by commas. */
const within = (version, ranges) => ranges.some((range) => semver.satisfies(version, range.replaceAll(',', ' ')));
for (const { name, version } of locked) {
  if (!list.cargo.asked.includes(name))
    faults.push(`${name}: a crate that nobody asked about; look for it in ${list.cargo.source}`);
  for (const { id, patched, unaffected } of list.cargo.known.filter((one) => one.name === name))
    if (!within(version, patched) && !within(version, unaffected)) faults.push(`${name} ${version}: ${id}`);
}
for (const name of LOCKS)
  if (list.locks[name] !== hash(name))
    faults.push(`the advisories of ${list.date} are of another ${name}; run it with --write`);

for (const fault of faults) console.error(fault);
const npm = list.npm === null ? 'not asked' : `${list.npm.length} known`;
const { asked, known, source } = list.cargo;
console.log(
  `${faults.length} faults. Advisories on ${list.date}: npm ${npm}; ${asked.length} crates asked, ${known.length} known, by ${source}.`,
);
process.exit(faults.length === 0 ? 0 : 1);
