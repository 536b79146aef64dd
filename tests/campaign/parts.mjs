// The parts of the campaign in their long form. Each gives rows: what was tried, how often, and the flaws.
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { launch, serveDist } from '../e2e/launch.mjs';
import { soak } from './actions.mjs';
import { bombs, explode, measurable } from './bombs.mjs';
import { campaign } from './campaign.mjs';
import { COMMANDS } from './commands.mjs';
import { inPage, sameEverywhere, scenarioOf } from './determinism.mjs';
import { hostileCase, tryInPage } from './hostile.mjs';
import { KINDS, killsOf, resultFlaw } from './kills.mjs';
import { drop, rightResult, runsRight, withFresh } from './pages.mjs';
import { seedFiles } from './seeds.mjs';

/** Damaged files and options for each command. */
async function commands({ program, run, cases = 100_000, from, seed, only, tell }) {
  const names = only.length > 0 ? only : Object.keys(COMMANDS);
  const unknown = names.find((name) => !COMMANDS[name]);
  if (unknown) throw new Error(`no command ${unknown}; there are: ${Object.keys(COMMANDS).join(', ')}`);
  const { folder, files } = seedFiles(run);
  for (const name of names) {
    const row = await campaign(program, name, { count: cases, from, seed, files, folder });
    const ends = Object.entries(row.ended).map(([status, n]) => `status ${status}: ${n}`);
    tell({ name, cases, flaws: row.flaws, more: ends.join(', ') });
  }
}

/** Every exercise, hidden GPU and hidden memory under many seeds. */
function seeds({ top, cases = 10_000, tell }) {
  const command = [
    'run',
    '--quiet',
    '--release',
    '--locked',
    '-p',
    'course',
    '--example',
    'seeds',
    '--',
    String(cases),
  ];
  const printed = execFileSync('cargo', command, { cwd: top, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  for (const line of printed.trim().split('\n')) {
    const { what, seeds: count, computed, right, of, failures, failed } = JSON.parse(line);
    tell({
      name: what,
      cases: count,
      flaws: failures,
      more: `${computed} computed, ${right} of ${of} right, ${failed} failed`,
    });
  }
}

/** Small inputs that ask for much. */
async function bombsPart({ program, run, folder, tell }) {
  if (!measurable)
    return tell({ name: 'bombs', cases: 0, flaws: [], more: 'skipped: no /usr/bin/time to measure memory' });
  const all = bombs(run, false);
  const results = [];
  for (const bomb of all) results.push(await explode(program, bomb, path.join(folder, 'bomb')));
  const largest = results.reduce((most, one) => (one.ratio > most.ratio ? one : most));
  const flaws = results.filter(({ flaw }) => flaw);
  tell({ name: 'bombs', cases: all.length, flaws, more: `largest ratio ${largest.ratio} (${largest.name})` });
}

/** The same scenario with other threads, and in the page. */
async function determinism({ program, cases = 200, seed, tell }) {
  await withFresh(async ({ page, trouble }) => {
    await page.getByTestId('verdict').waitFor({ timeout: 60_000 });
    const flaws = [];
    for (let i = 0; i < cases; i += 1) {
      const flaw = await sameEverywhere(program, scenarioOf(i, seed), inPage(page));
      if (flaw) flaws.push({ index: i, flaw });
    }
    tell({ name: 'determinism', cases, flaws: [...flaws, ...trouble] });
  });
}

/** Cases of hostile input between two restarts of the browser. */
const OF_A_PAGE = 100;

/** Hostile links, names and files in the page. */
async function hostile({ cases = 1000, from, seed, tell }) {
  const flaws = [];
  const wanted = await rightResult();
  for (let begin = from; begin < from + cases; begin += OF_A_PAGE)
    await withFresh(async ({ page, trouble }) => {
      await page.getByTestId('verdict').waitFor({ timeout: 60_000 });
      const end = Math.min(begin + OF_A_PAGE, from + cases);
      for (let index = begin; index < end; index += 1) {
        const one = hostileCase(index, seed);
        const flaw = await tryInPage(page, one, { drop, wanted }).catch((error) => error.message);
        for (const found of [flaw, ...trouble.splice(0)])
          if (found) flaws.push({ index, flaw: found, case: JSON.stringify(one).slice(0, 300) });
      }
      if (resultFlaw(await runsRight(page), wanted))
        flaws.push({ index: end - 1, flaw: 'the run after these cases is not right' });
      flaws.push(...trouble.map((flaw) => ({ index: end - 1, flaw })));
    });
  tell({ name: 'hostile', cases, flaws });
}

/** Workers of each kind that end at any moment. */
async function kills({ cases = 50, from, seed, only, tell }) {
  for (const kind of only.length > 0 ? only : Object.keys(KINDS)) tell(await killsOf(kind, { cases, from, seed }));
}

/** Anything that a person can do, in any order. */
async function actions({ cases = 1000, seed, from, tell }) {
  const [site, browser] = [await serveDist(), await launch()];
  try {
    for (let at = from + 1; at <= from + 20; at += 1)
      for (const throttled of [false, true]) {
        const early = at % 2 === 0;
        const { trouble, done, acted, before, after } = await soak(browser, site, seed * 1000 + at, {
          actions: cases,
          early,
          throttled,
        });
        const how = [early ? 'from the first millisecond' : '', throttled ? 'throttled' : '']
          .filter(Boolean)
          .join(', ');
        const heap = early ? 'heap not compared' : `heap ${Math.round((100 * after) / before)} %`;
        tell({
          name: `actions, seed ${at}`,
          cases: done,
          flaws: trouble,
          more: [`${acted} did something`, how, heap].filter(Boolean).join('; '),
        });
      }
  } finally {
    await browser.close();
    site.close();
  }
}

/** Ways out of the page. The gate runs all of them; here they stand in the report. */
function ways({ top, tell }) {
  const run = spawnSync('node', ['--test', '--test-reporter=tap', 'tests/e2e/ways-out.test.mjs'], {
    cwd: top,
    encoding: 'utf8',
  });
  const flaws = run.stdout.split('\n').filter((line) => /^not ok/.test(line));
  const count = Number(/^# tests (\d+)/m.exec(run.stdout)?.[1] ?? 0);
  tell({ name: 'ways out', cases: count, flaws: count === 0 ? [run.stderr.slice(0, 500)] : flaws });
}

export const PARTS = { commands, seeds, bombs: bombsPart, determinism, hostile, kills, actions, ways };
