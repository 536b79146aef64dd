// The `warpscope` command, for tests that compare the page or the wasm engine with it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../', import.meta.url));

/** What the command prints; cargo builds it if it is not there. */
export function native(...args) {
  const run = ['run', '--quiet', '--locked', '--package', 'warpscope-cli', '--', ...args];
  const done = spawnSync('cargo', run, { cwd: top, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

/** Its report as data. */
export const nativeJson = (...args) => JSON.parse(native(...args, '--format', 'json'));
