// The one gate: what CI runs and what a person runs. Quick stages first, slow ones last; stops at the first failure.
//
//   npm test                      everything
//   npm test -- rust page         only the stages whose names begin so
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { Outcome } from './outcome.mjs';

const filesOf = (folder) =>
  readdirSync(folder)
    .filter((f) => f.endsWith('.test.mjs'))
    .map((f) => `${folder}/${f}`);
const nodeTest = (folder) => ['node', '--test', '--test-concurrency=1', '--test-reporter=spec', ...filesOf(folder)];
const lint = ['--', '-D', 'warnings'];
/** With the types that the page has from Rust, which a test compares. */
const native = ['--locked', '--workspace', '--features', 'warpscope/types'];
const target = process.env.CARGO_TARGET_DIR ?? 'target';

// A first build gains nothing from the cache for the next ones, and writing it takes a seventh of the time.
if (!existsSync(`${target}/debug/incremental`)) process.env.CARGO_INCREMENTAL ??= '0';

// Rounds of lanes of stages: the stages of a lane run one after the other, the lanes of a round beside each other, as few
// stages keep two cores busy all the time; the output of a second lane comes stage by stage. `tests: true`: the stage runs
// tests, and fails when it ran none.
const rounds = [
  [
    [
      { name: 'gate tests', run: nodeTest('scripts/test'), tests: true },
      { name: 'set-up', run: ['bash', 'scripts/set-up/install.sh'] },
      { name: 'rust format', run: ['cargo', 'fmt', '--check'] },
      { name: 'rust lint', run: ['cargo', 'clippy', ...native, '--all-targets', ...lint] },
    ],
  ],
  [
    [{ name: 'rust tests', run: ['cargo', 'test', ...native, '--no-fail-fast'], tests: true }],
    [
      {
        name: 'wasm lint',
        run: [
          'bash',
          'scripts/set-up/wasm-cargo.sh',
          'clippy',
          '--target-dir',
          `${target}/wasm`,
          '--locked',
          '--package',
          'warpscope',
          '--lib',
          ...lint,
        ],
      },
      { name: 'wasm build', run: ['bash', 'scripts/build/wasm.sh'] },
      { name: 'page types', run: ['npm', 'run', '--silent', 'typecheck'] },
      { name: 'page lint', run: ['npm', 'run', '--silent', 'lint'] },
      { name: 'page tests', run: ['node', 'scripts/test/page.mjs'], tests: true },
      { name: 'page build', run: ['node_modules/.bin/webpack', '--mode', 'production'] },
    ],
  ],
  // Against the command line that the native tests have built.
  [
    [
      { name: 'wasm tests', run: nodeTest('tests/wasm'), tests: true },
      { name: 'browser set-up', run: ['bash', 'scripts/set-up/install.sh', 'browser'] },
      { name: 'browser tests', run: nodeTest('tests/e2e'), tests: true },
    ],
    [{ name: 'dask tests', run: nodeTest('tests/dask'), tests: true }],
  ],
];

// rustup's installer edits login profiles only; npm may run under a shell that read none of them.
const rust = `${process.env.CARGO_HOME ?? `${process.env.HOME}/.cargo`}/bin`;
if (existsSync(rust) && !process.env.PATH.split(':').includes(rust)) process.env.PATH += `:${rust}`;

// cargo sees a pipe, whatever its output is passed on to.
if (process.stderr.isTTY) process.env.CARGO_TERM_COLOR ??= 'always';

/** Runs a stage, shows its output (at the end, when others run `beside` it), counts the tests its runners report. */
function run({ run: [command, ...args] }, beside) {
  const kept = [];
  const outcome = new Outcome();
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        if (beside) kept.push(text);
        else process[stream].write(text);
        outcome.take(text, stream);
      });
    }
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      done({ ok: false, outcome });
    });
    child.on('close', (code) => {
      outcome.end();
      process.stdout.write(kept.join(''));
      done({ ok: code === 0, outcome });
    });
  });
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const wanted = process.argv.slice(2);
const stages = rounds.flat(2);
const chosen = stages.filter((stage) => wanted.length === 0 || wanted.some((name) => stage.name.startsWith(name)));
if (chosen.length === 0) {
  console.error(`no such stage; there are: ${stages.map((stage) => stage.name).join(', ')}`);
  process.exit(2);
}

const began = performance.now();
const total = { passed: 0, failed: 0, skipped: 0 };
const reasons = [];
const times = [];
let broken = null;

/** Runs a stage and takes what it gave. */
async function perform(stage, beside) {
  console.log(
    `\n=== ${chosen.indexOf(stage) + 1}/${chosen.length} ${stage.name}${beside ? ' (beside the other)' : ''}`,
  );
  const since = performance.now();
  const { ok: finished, outcome } = await run(stage, beside);
  times.push(`${stage.name.padEnd(16)}${seconds(since).padStart(9)}`);
  console.log(`--- ${stage.name}: ${seconds(since)}`);
  const none = stage.tests && outcome.passed + outcome.failed === 0;
  if (none) console.error('this stage ran no test');
  const ok = finished && !none;
  total.passed += outcome.passed;
  // A stage that is not made of tests counts as one failure.
  total.failed += ok ? 0 : Math.max(1, outcome.failed);
  total.skipped += outcome.skipped;
  reasons.push(...outcome.reasons.map((reason) => `${stage.name}: ${reason}`));
  if (!ok) broken ??= stage.name;
}

/** Runs stages one after the other until one fails, here or in another lane. */
async function inTurn(stages, beside) {
  for (const one of stages) {
    if (broken) return;
    await perform(one, beside);
  }
}

for (const lanes of rounds) {
  const mine = lanes.map((lane) => lane.filter((one) => chosen.includes(one))).filter((lane) => lane.length > 0);
  await Promise.all(mine.map((lane, i) => inTurn(lane, i > 0)));
}

console.log(`\n${times.join('\n')}\n${'total'.padEnd(16)}${seconds(began).padStart(9)}`);
if (reasons.length > 0) console.log(`\nSkipped:\n${reasons.map((reason) => `  ${reason}`).join('\n')}`);
console.log(broken ? `\nFAILED at: ${broken}` : '\nAll stages passed.');
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = broken ? 1 : 0;
