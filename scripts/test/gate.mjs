// The one gate: what CI runs and what a person runs. Quick stages first, slow ones last; no stage begins after a failure.
//
//   npm test                      everything
//   npm test -- rust page         only the stages whose names begin so
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { COMMAND, WORKSPACE } from './cargo.mjs';
import { Outcome } from './outcome.mjs';
import { schedule } from './schedule.mjs';

const filesOf = (folder) =>
  readdirSync(folder)
    .filter((f) => f.endsWith('.test.mjs'))
    .map((f) => `${folder}/${f}`);
const nodeTest = (files) => ['node', '--test', '--test-concurrency=1', '--test-reporter=spec', ...files];
const BROWSER_PARTS = 4;
/** Every fourth file of the browser tests. */
const browserTests = (part) => ({
  name: `browser tests ${part + 1}`,
  run: nodeTest(filesOf('tests/e2e').filter((_, i) => i % BROWSER_PARTS === part)),
  after: ['page build', 'command build', 'browser set-up'],
  tests: true,
});
const target = process.env.CARGO_TARGET_DIR ?? 'target';

// A first build gains nothing from the cache for the next ones, and writing it takes a seventh of the time.
if (!existsSync(`${target}/debug/incremental`)) process.env.CARGO_INCREMENTAL ??= '0';

// Two stages run beside each other, since few of them keep two cores busy all the time. Those of the native build wait for each
// other because cargo lets one at a time write there. `tests: true`: the stage runs tests, and fails when it ran none.
const stages = [
  { name: 'gate tests', run: nodeTest(filesOf('scripts/test')), tests: true },
  { name: 'set-up', run: ['bash', 'scripts/set-up/install.sh', 'wasm'], after: ['gate tests'] },
  { name: 'page set-up', run: ['bash', 'scripts/set-up/install.sh', 'packages'], after: ['gate tests'] },
  { name: 'rust format', run: ['cargo', 'fmt', '--check'], after: ['set-up'] },
  {
    name: 'rust lint',
    run: ['cargo', 'clippy', ...WORKSPACE, '--all-targets', '--', '-D', 'warnings'],
    after: ['rust format'],
  },
  { name: 'wasm build', run: ['bash', 'scripts/build/wasm.sh'], after: ['rust format', 'page set-up'] },
  // Before the other native builds, so that the browser tests begin beside them and leave no core idle.
  { name: 'command build', run: ['cargo', 'build', ...WORKSPACE, ...COMMAND], after: ['rust lint'] },
  { name: 'rust build', run: ['cargo', 'test', ...WORKSPACE, '--no-run'], after: ['command build'] },
  { name: 'page types', run: ['npm', 'run', '--silent', 'typecheck'], after: ['wasm build'] },
  { name: 'page build', run: ['bash', 'scripts/build/site.sh'], after: ['page types'] },
  { name: 'page lint', run: ['npm', 'run', '--silent', 'lint'], after: ['page build'] },
  { name: 'page tests', run: ['node', 'scripts/test/page.mjs'], after: ['page types'], tests: true },
  // Late, so that it keeps no build from beginning.
  { name: 'browser set-up', run: ['bash', 'scripts/set-up/install.sh', 'browser'], after: ['set-up', 'page lint'] },
  // In parts, so that one core is not idle while the other runs the rest of them.
  browserTests(0),
  { name: 'rust tests', run: ['cargo', 'test', ...WORKSPACE, '--no-fail-fast'], after: ['rust build'], tests: true },
  browserTests(1),
  { name: 'wasm tests', run: nodeTest(filesOf('tests/wasm')), after: ['wasm build', 'command build'], tests: true },
  { name: 'campaign', run: nodeTest(filesOf('tests/campaign')), after: ['command build'], tests: true },
  { name: 'dask tests', run: nodeTest(filesOf('tests/dask')), after: ['command build'], tests: true },
  browserTests(2),
  browserTests(3),
];

// rustup's installer edits login profiles only; npm may run under a shell that read none of them.
const rust = `${process.env.CARGO_HOME ?? `${process.env.HOME}/.cargo`}/bin`;
if (existsSync(rust) && !process.env.PATH.split(':').includes(rust)) process.env.PATH += `:${rust}`;

// cargo sees a pipe, whatever its output is passed on to.
if (process.stderr.isTTY) process.env.CARGO_TERM_COLOR ??= 'always';

/** Runs a stage, shows its output (at the end, when another one shows its own), counts the tests its runners report. */
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
const chosen = stages.filter((stage) => wanted.length === 0 || wanted.some((name) => stage.name.startsWith(name)));
if (chosen.length === 0) {
  console.error(`no such stage; there are: ${stages.map((stage) => stage.name).join(', ')}`);
  process.exit(2);
}

// The tests need not ask cargo for the command again, which would wait for a build that runs beside them.
if (chosen.some((stage) => stage.name === 'command build')) process.env.WARPSCOPE_BUILT = '1';

const began = performance.now();
const total = { passed: 0, failed: 0, skipped: 0 };
const reasons = [];
const times = [];
let broken = null;

/** Whether a stage shows its output as it comes. */
let shown = false;

/** Runs a stage and takes what it gave; gives whether it went well. */
async function perform(stage) {
  const beside = shown;
  shown = true;
  console.log(
    `\n=== ${chosen.indexOf(stage) + 1}/${chosen.length} ${stage.name}${beside ? ' (beside the other)' : ''}`,
  );
  const since = performance.now();
  const { ok: finished, outcome } = await run(stage, beside);
  if (!beside) shown = false;
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
  return ok;
}

await schedule(chosen, 2, perform);

console.log(`\n${times.join('\n')}\n${'total'.padEnd(16)}${seconds(began).padStart(9)}`);
if (reasons.length > 0) console.log(`\nSkipped:\n${reasons.map((reason) => `  ${reason}`).join('\n')}`);
console.log(broken ? `\nFAILED at: ${broken}` : '\nAll stages passed.');
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = broken ? 1 : 0;
