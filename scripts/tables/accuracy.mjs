// Writes the tables of docs/accuracy.md, and the errors of times that page and terminal know, crates/lab/src/cache_tab/time_errors.json: `npm run accuracy`, with arguments for `warpscope check` after `--`.
// The measurements are read from ../shared/data/hardware, or from the folder that `--hardware` names.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { timeErrors } from './time-errors.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const page = path.join(root, 'docs/accuracy.md');
const [BEGIN, END] = ['<!-- tables -->', '<!-- end of tables -->'];

const given = process.argv.slice(2);
const folder = given.includes('--hardware') ? [] : ['--hardware', path.join(root, '../shared/data/hardware')];
const check = ['run', '--release', '--locked', '-p', 'warpscope-cli', '--', 'check', '--format', 'markdown'];
const tables = execFileSync('cargo', [...check, ...folder, ...given], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
  stdio: ['ignore', 'pipe', 'inherit'],
});

const text = readFileSync(page, 'utf8');
const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
if (from < 0 || to < from) throw new Error(`${page} has no ${BEGIN} before ${END}`);
const written = `${text.slice(0, from + BEGIN.length)}\n\n${tables.trim()}\n\n${text.slice(to)}`;
writeFileSync(page, written);
writeFileSync(
  path.join(root, 'crates/lab/src/cache_tab/time_errors.json'),
  `${JSON.stringify(timeErrors(written), null, 2)}\n`,
);
