// The `warpscope` command, for tests that compare the page or the wasm engine with it.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND, WORKSPACE } from '../scripts/test/cargo.mjs';

const top = fileURLToPath(new URL('../', import.meta.url));
const built = path.resolve(top, process.env.CARGO_TARGET_DIR ?? 'target', 'debug');
const text = { cwd: top, encoding: 'utf8', maxBuffer: 1 << 28 };

/** The command, which cargo builds unless the gate has done so. */
export const program = path.join(built, 'warpscope');
if (!process.env.WARPSCOPE_BUILT) {
  execFileSync('cargo', ['build', '--quiet', ...WORKSPACE, ...COMMAND], { cwd: top, stdio: 'inherit' });
}

/** What the command prints. */
export const native = (...args) => execFileSync(program, args, text);

/** Its report as data. */
export const nativeJson = (...args) => JSON.parse(native(...args, '--format', 'json'));

/** Reports of the models of one L1, of all kernels of the library and of `files`, by name. */
export const nativeReports = (files) => reportsOf(files);

/** Reports of the model `gpu` on these GPUs, of all kernels of the library, by name. */
export const nativeGpuReports = (gpus) => reportsOf(['gpu', ...gpus]);

/** From one process (apps/cli/examples/reports.rs). */
function reportsOf(args) {
  const reports = new Map();
  const printed = execFileSync(path.join(built, 'examples', 'reports'), args, text);
  for (const line of printed.trim().split('\n')) {
    const report = JSON.parse(line);
    reports.set(report.name, [...(reports.get(report.name) ?? []), report]);
  }
  return reports;
}
