// The `warpscope` command, for tests that compare the page or the wasm engine with it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../', import.meta.url));

/** What a program of the package prints; cargo builds it if it is not there. */
function cargoRun(...args) {
  const run = ['run', '--quiet', '--locked', '--package', 'warpscope-cli', ...args];
  const done = spawnSync('cargo', run, { cwd: top, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

/** What the command prints. */
export const native = (...args) => cargoRun('--', ...args);

/** Its report as data. */
export const nativeJson = (...args) => JSON.parse(native(...args, '--format', 'json'));

/** Cache reports of all kernels of the library and of `files`, by name, from one process (apps/cli/examples/reports.rs). */
export function nativeReports(files) {
  const reports = new Map();
  for (const line of cargoRun('--example', 'reports', '--', ...files)
    .trim()
    .split('\n')) {
    const report = JSON.parse(line);
    reports.set(report.name, [...(reports.get(report.name) ?? []), report]);
  }
  return reports;
}
