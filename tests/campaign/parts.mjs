// The parts of the campaign in their long form. Each gives rows: what was tried, how often, and the flaws.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inFirefox, launch, serveDist } from '../e2e/launch.mjs';
import { soak } from './actions.mjs';
import { bombs, explode, measurable } from './bombs.mjs';
import { campaign } from './campaign.mjs';
import { COMMANDS } from './commands.mjs';
import { inPage, KINDS as SCENARIOS, sameEverywhere, scenarioOf } from './determinism.mjs';
import { hostileCase, tryInPage } from './hostile.mjs';
import { KINDS, killsOf, resultFlaw } from './kills.mjs';
import { Refused } from './options.mjs';
import { drop, rightResult, runsRight, withFresh } from './pages.mjs';
import { seedFiles } from './seeds.mjs';

/** Damaged files and options for each command. */
async function commands({ program, run, cases = 100_000, from, seed, only, tell }) {
  const names = only.length > 0 ? only : Object.keys(COMMANDS);
  const { folder, files } = seedFiles(run);
  for (const name of names) {
    const row = await campaign(program, name, { count: cases, from, seed, files, folder });
    const ends = Object.entries(row.ended).map(([status, n]) => `status ${status}: ${n}`);
    if (row.runs < cases) ends.push(`${row.runs} different runs`);
    tell({ name, cases, flaws: row.flaws, more: ends.join(', ') });
  }
}

/** Every exercise, hidden GPU and hidden memory under the seeds from `from + 1` on. */
function seeds({ top, cases = 10_000, from, only, tell }) {
  const cargo = ['run', '--quiet', '--release', '--locked', '-p', 'course', '--example', 'seeds', '--'];
  const asked = [String(cases), String(from + 1), ...only];
  const run = spawnSync('cargo', [...cargo, ...asked], { cwd: top, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status === 2) throw new Refused(run.stderr.trim().split('\n'));
  if (run.status !== 0) throw new Error(run.stderr.trim() || String(run.error ?? run.signal));
  for (const line of run.stdout.trim().split('\n')) {
    const { what, seeds: count, computed, right, of, failures, failed } = JSON.parse(line);
    const flaws = [...failures];
    // What is found out without the truth, of which a seed alone may be missed.
    if (right * 2 <= of || of + failed === 0) flaws.push(`${right} of ${of} right`);
    tell({ name: what, cases: count, flaws, more: `${computed} computed, ${right} of ${of} right, ${failed} failed` });
  }
}

/** Small inputs that ask for much: of those whose names contain one of `only`, `cases` from the `from`-th on. */
async function bombsPart({ program, run, folder, cases = Infinity, from, only, tell }) {
  if (!measurable) return tell({ name: 'bombs', cases: 0, flaws: ['no /usr/bin/time to measure memory'] });
  const named = bombs(run, false).filter(([name]) => only.length === 0 || only.some((text) => name.includes(text)));
  const chosen = named.slice(from, from + cases);
  if (chosen.length === 0) throw new Refused([`part bombs: ${named.length} names fit, and none from ${from} on`]);
  const results = [];
  for (const bomb of chosen) results.push(await explode(program, bomb, path.join(folder, 'bomb')));
  const largest = results.reduce((most, one) => (most.ratio > one.ratio || Number.isNaN(one.ratio) ? most : one));
  const flaws = results.filter(({ flaw }) => flaw);
  tell({ name: 'bombs', cases: chosen.length, flaws, more: `largest ratio ${largest.ratio} (${largest.name})` });
}

/** The same scenario with other threads, and in the page: as many cases of each kind. */
async function determinism({ program, run, cases = 40, from, seed, only, tell }) {
  const { folder, files } = seedFiles(run);
  const answers = path.join(folder, 'hand-ins');
  mkdirSync(answers);
  writeFileSync(path.join(answers, 'answers.json'), files.get('answers.json'));
  try {
    for (const kind of only.length > 0 ? only : Object.keys(SCENARIOS))
      await withFresh(async ({ page, trouble }) => {
        await page.getByTestId('verdict').waitFor({ timeout: 60_000 });
        const flaws = [];
        let comparisons = 0;
        for (let index = from; index < from + cases; index += 1) {
          const scenario = scenarioOf(kind, index, seed, answers);
          const { flaw, compared } = await sameEverywhere(program, scenario, inPage(page));
          comparisons += compared;
          if (flaw) flaws.push({ index, flaw });
        }
        if (comparisons === 0) flaws.push({ index: from, flaw: 'nothing was compared' });
        const varied = { threads: '--threads 1, 2, 8', cores: 'one core and all', page: 'twice and in the page' };
        const more = `${comparisons} comparisons, ${varied[SCENARIOS[kind].varies]}`;
        tell({ name: `determinism of ${kind}`, cases, flaws: [...flaws, ...trouble], more });
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

/** Anything that a person can do, in any order. Firefox cannot be made slower: there each seed runs once. */
async function actions({ cases = 1000, seed, from, tell }) {
  const [site, browser] = [await serveDist(), await launch()];
  try {
    for (let at = from + 1; at <= from + 20; at += 1)
      for (const throttled of inFirefox ? [false] : [false, true]) {
        const early = at % 2 === 0;
        const { trouble, done, acted, before, after } = await soak(browser, site, seed * 1000 + at, {
          actions: cases,
          early,
          throttled,
        });
        const how = [early ? 'from the first millisecond' : '', throttled ? 'throttled' : '']
          .filter(Boolean)
          .join(', ');
        const share = Math.round((100 * after) / before);
        const heap = Number.isFinite(share) ? `heap ${share} %` : 'heap not compared';
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
  const number = (what) => Number(new RegExp(`^# ${what} (\\d+)`, 'm').exec(run.stdout)?.[1] ?? 0);
  const flaws = run.stdout.split('\n').filter((line) => /^not ok/.test(line));
  if (flaws.length === 0 && run.status !== 0) flaws.push(`status ${run.status}: ${run.stderr.slice(0, 500)}`);
  tell({ name: 'ways out', cases: number('pass') + number('fail'), flaws, more: `${number('skipped')} skipped` });
}

export const PARTS = { commands, seeds, bombs: bombsPart, determinism, hostile, kills, actions, ways };
