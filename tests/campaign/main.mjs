// The long form of the campaign:
//
//   npm run campaign                                        all parts, each as large as it is without options
//   npm run campaign -- --part commands --cases 1000        one part, smaller
//   npm run campaign -- --part commands --only cache --from 512
//   npm run campaign -- --part kills --only course --cases 5
//   BROWSER=firefox npm run campaign -- --part determinism  the page of these parts in Firefox
//
// Parts and what each takes: options.mjs. It prints a row for each thing tried, and writes rows and flaws to campaign.json as it goes. The
// status is 1 when there is a flaw or nothing was tried, and 2 when an option is refused. The program is the release build if there is one;
// the parts in a page need `npm run build`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from './commands.mjs';
import { KINDS as SCENARIOS } from './determinism.mjs';
import { KINDS } from './kills.mjs';
import { Refused, settle } from './options.mjs';
import { PARTS } from './parts.mjs';

function refuse(lines) {
  for (const line of lines) console.error(`campaign: ${line}`);
  process.exit(2);
}

let settled;
try {
  const names = [
    ['commands', COMMANDS],
    ['determinism', SCENARIOS],
    ['kills', KINDS],
  ].map(([part, all]) => [part, Object.keys(all)]);
  settled = settle(process.argv.slice(2), Object.fromEntries(names));
} catch (error) {
  if (error instanceof Refused) refuse(error.lines);
  throw error;
}
const top = fileURLToPath(new URL('../../', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${top}target`;
const program = [`${target}/release/warpscope`, `${target}/debug/warpscope`].find(existsSync);
if (!program) throw new Error('build the command first: cargo build --release -p warpscope-cli');
const run = (...args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const folder = mkdtempSync(path.join(tmpdir(), 'warpscope-parts-'));
const rows = [];
const tell = (row) => {
  const flaws = row.cases > 0 ? row.flaws : [...row.flaws, 'nothing was tried'];
  rows.push({ ...row, flaws });
  writeFileSync(settled.report, `${JSON.stringify(rows, null, 1)}\n`);
  console.log(`${row.name}: ${row.cases} cases, flaws: ${flaws.length}${row.more ? ` (${row.more})` : ''}`);
};
let refused = null;
try {
  for (const name of settled.parts) {
    const before = rows.length;
    await PARTS[name]({ top, program, run, folder, tell, ...settled.given });
    if (rows.length === before) tell({ name, cases: 0, flaws: [] });
  }
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  refused = error.lines;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (refused) refuse(refused);
process.exitCode = rows.some(({ flaws }) => flaws.length > 0) ? 1 : 0;
