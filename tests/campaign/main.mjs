// The long form of the campaign:
//
//   npm run campaign                                        all parts, each as large as asked
//   npm run campaign -- --part commands --cases 1000        one part, smaller
//   npm run campaign -- --part commands --only cache --from 512
//   npm run campaign -- --part kills --only course --cases 5
//
// Parts: commands, seeds, bombs, determinism, hostile, kills, actions, ways. It prints a row for each thing tried, and writes rows and flaws to
// campaign.json as it goes. The program is the release build if there is one; the parts in a page need `npm run build`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PARTS } from './parts.mjs';

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: Object.keys(PARTS) },
    cases: { type: 'string' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    report: { type: 'string', default: 'campaign.json' },
  },
});
const top = fileURLToPath(new URL('../../', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${top}target`;
const program = [`${target}/release/warpscope`, `${target}/debug/warpscope`].find(existsSync);
if (!program) throw new Error('build the command first: cargo build --release -p warpscope-cli');
const run = (...args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const unknown = values.part.find((name) => !PARTS[name]);
if (unknown) throw new Error(`no part ${unknown}; there are: ${Object.keys(PARTS).join(', ')}`);

const folder = mkdtempSync(path.join(tmpdir(), 'warpscope-parts-'));
const rows = [];
const tell = (row) => {
  rows.push(row);
  writeFileSync(values.report, `${JSON.stringify(rows, null, 1)}\n`);
  console.log(`${row.name}: ${row.cases} cases, flaws: ${row.flaws.length}${row.more ? ` (${row.more})` : ''}`);
};
const common = {
  top,
  program,
  run,
  folder,
  tell,
  only: values.only,
  from: Number(values.from),
  seed: Number(values.seed),
};
try {
  for (const name of values.part)
    await PARTS[name]({ ...common, ...(values.cases && { cases: Number(values.cases) }) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = rows.some(({ flaws }) => flaws.length > 0) ? 1 : 0;
