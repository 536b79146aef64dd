// Unit tests of the page: www/**/*.test.ts(x), compiled by esbuild, run by node's own runner.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

// Inside node_modules, so that compiled tests find the packages they import.
const out = 'node_modules/.cache/page-tests';
const tests = readdirSync('www', { recursive: true })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => path.join('www', file));

rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: tests,
  outdir: out,
  outbase: 'www',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.css': 'empty', '.wgsl': 'text' },
  sourcemap: 'inline',
});
const compiled = tests.map((file) => path.join(out, path.relative('www', file).replace(/tsx?$/, 'mjs')));
const ran = spawnSync(process.execPath, ['--enable-source-maps', '--test', '--test-reporter=spec', ...compiled], {
  stdio: 'inherit',
});
process.exit(ran.status ?? 1);
