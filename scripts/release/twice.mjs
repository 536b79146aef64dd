// Builds dist/ twice, in two copies of the sources in different folders, and compares every file by its hash. The engine is taken as it
// was built: `--engine` builds it twice as well, which takes minutes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../../', import.meta.url));
const engine = process.argv.includes('--engine');

/** Hashes of all files by name. */
function hashes(folder) {
  const found = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    found.set(path.relative(folder, file), createHash('sha256').update(readFileSync(file)).digest('hex'));
  }
  return found;
}

/** A build in a fresh folder, whose path has another length each time. */
function build(name) {
  const folder = mkdtempSync(path.join(tmpdir(), name));
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: top, encoding: 'utf8' });
  for (const file of tracked.trim().split('\n')) cpSync(path.join(top, file), path.join(folder, file));
  if (!engine) cpSync(path.join(top, 'pkg'), path.join(folder, 'pkg'), { recursive: true });
  symlinkSync(path.join(top, 'node_modules'), path.join(folder, 'node_modules'));
  const run = (script) => execFileSync('bash', [script], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (engine) run('scripts/build/wasm.sh');
  run('scripts/build/site.sh');
  const made = hashes(path.join(folder, 'dist'));
  rmSync(folder, { recursive: true });
  return made;
}

const [one, two] = [build('first-'), build('second-folder-')];
const names = [...new Set([...one.keys(), ...two.keys()])].sort();
const different = names.filter((name) => one.get(name) !== two.get(name));
for (const name of different) console.log(`differs: ${name}`);
console.log(
  `${names.length - different.length} of ${names.length} files are equal${engine ? ', the engine built twice' : ''}`,
);
process.exit(different.length === 0 ? 0 : 1);
