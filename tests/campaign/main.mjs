// The long form of the campaign:
//
//   npm run campaign -- --cases 100000               every command
//   npm run campaign -- --only cache --from 512      some cases of one command
//
// It prints a row per command, and writes the flaws to campaign.json. The program is the release build if there is one.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { campaign } from './campaign.mjs';
import { COMMANDS } from './commands.mjs';
import { seedFiles } from './seeds.mjs';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: Object.keys(COMMANDS) },
    report: { type: 'string', default: 'campaign.json' },
  },
});
const top = fileURLToPath(new URL('../../', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${top}target`;
const program = [`${target}/release/warpscope`, `${target}/debug/warpscope`].find(existsSync);
if (!program) throw new Error('build the command first: cargo build --release -p warpscope-cli');
const run = (...args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const { folder, files } = seedFiles(run);
const [count, from, seed] = [values.cases, values.from, values.seed].map(Number);

const rows = [];
try {
  for (const name of values.only) {
    if (!COMMANDS[name]) throw new Error(`no command ${name}; there are: ${Object.keys(COMMANDS).join(', ')}`);
    const row = await campaign(program, name, {
      count,
      from,
      seed,
      files,
      folder,
      onProgress: (n) => n % 100 === 0 && process.stderr.isTTY && process.stderr.write(`\r${name} ${n} of ${count} `),
    });
    rows.push(row);
    const ends = Object.entries(row.ended).map(([status, n]) => `status ${status}: ${n}`);
    console.log(`${name.padEnd(10)} ${count} cases, ${ends.join(', ')}, flaws: ${row.flaws.length}`);
  }
} finally {
  writeFileSync(values.report, `${JSON.stringify(rows, null, 1)}\n`);
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = rows.some((row) => row.flaws.length > 0) ? 1 : 0;
