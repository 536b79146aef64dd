// Workers that end at any moment, as when the browser kills one or its memory runs out: the next run is right, and nothing typed is lost.
import { random, seedOf } from './random.mjs';
import { rightResult, runsRight, withFresh } from './pages.mjs';

const RUN = 'v=1&example=matvec-rows&gpu=rtx3060&model=gpu';
const REUSE = 'v=1&example=matvec-rows&view.tab=reuse';
const press = (name) => (page) => page.getByRole('button', { name, exact: true }).first().click({ timeout: 5000 });

/** Drops a trace that is large enough to be hashed in a worker of its own. It is made inside the page: sending it takes longer than hashing it. */
const dropLarge = (page) =>
  page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    const text = `blocksize: 32 1 1\n${'0 0 4096 4\n'.repeat(3 << 20)}`;
    dataTransfer.items.add(new File([text], 'large.trc'));
    for (const event of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
  });

/**
 * For each kind: the worker's service where it is not the kind's name, where it works, the field that a person types into there and what
 * (null: the page of the kind has no such field), and what makes it work.
 */
export const KINDS = {
  scenario: {
    at: RUN,
    field: '#sweep-first-values',
    text: '1,2',
    work: (page) => page.locator('#state').selectOption('warm', { timeout: 5000 }),
  },
  kernel: {
    service: 'scenario',
    at: `${RUN}&view.tab=kernel`,
    field: '.cm-content',
    text: '// typed before the end',
    work: (page) => page.keyboard.press('Control+Enter'),
  },
  reuse: { at: REUSE, field: '#reuse-nb', text: '77', work: press('Analyse') },
  part: {
    at: `${REUSE}&view.reuse.input=zipf&view.reuse.n=3000000`,
    field: '#reuse-nb',
    text: '77',
    work: press('Run the comparison'),
  },
  topology: {
    at: `${RUN}&view.tab=topology&view.topology.mode=discover`,
    field: '#experiment-from',
    text: '4096',
    work: press('Measure'),
  },
  machine: {
    at: `${RUN}&view.tab=topology&view.topology.mode=machine`,
    field: null,
    work: press('Measure this CPU'),
  },
  placement: {
    at: 'v=1&example=matmul-naive&cuda.size.n=32&gpu=k20c&view.tab=placement',
    field: '#tab-panel input.array-name',
    text: 'typed',
    work: press('Search again'),
  },
  course: {
    at: 'v=1&exercise=half-bytes&seed=1',
    field: '#learn-kernel',
    text: 'typed before the end',
    work: press('Check'),
  },
  papers: { at: `${RUN}&view.tab=check`, field: null, work: press('Run all rows') },
  hash: { at: RUN, field: null, work: dropLarge },
};

/** Before any script of the page: living workers are remembered by what they are, and can end without a word. All details are open. */
const remembering = (page) =>
  page.addInitScript(() => {
    // An empty page has no storage.
    if (location.protocol === 'http:') localStorage.setItem('warpscope.unfolded', 'all');
    const living = new Map();
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      postMessage(message, ...more) {
        if (message?.service) living.set(this, message.service);
        super.postMessage(message, ...more);
      }
      terminate() {
        living.delete(this);
        super.terminate();
      }
    };
    globalThis.livingOf = (service) => [...living].flatMap(([worker, is]) => (is === service ? [worker] : []));
    globalThis.endAll = (service) => {
      const list = globalThis.livingOf(service);
      for (const worker of list) {
        Real.prototype.terminate.call(worker);
        living.delete(worker);
      }
      return list.length;
    };
  });

/** What a field holds; null where it is not there. */
const held = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate((field) => field.value ?? field.innerText, null, { timeout: 5000 })
    .catch(() => null);

/** Types into the field of a kind. Gives a question for what is wrong with it later. */
async function type(page, { field, text }) {
  if (field === null) return async () => null;
  const at = page.locator(field).first();
  await at.waitFor({ state: 'attached', timeout: 10_000 });
  await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)));
  if (field === '.cm-content') {
    await at.click({ timeout: 10_000 });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(`${text}\n`);
  } else await at.fill(text, { timeout: 10_000 });
  const is = (value) => value !== null && (field === '.cm-content' ? value.includes(text) : value === text);
  if (!is(await held(page, field))) return async () => `${field} takes nothing`;
  return async () => {
    const value = await held(page, field);
    if (value === null) return `the field ${field} and what was typed into it are gone`;
    return is(value) ? null : `what was typed is lost: ${field} holds ${JSON.stringify(value.slice(0, 80))}`;
  };
}

/**
 * One end of a worker of a kind at a random moment: early, anywhere from the first moments of loading, or in the middle of its work.
 * `end` ends the workers of a service, and gives how many; a test hands over another. Gives what is wrong, or null, and what was tried.
 */
export async function killOnce(kind, index, seed, { end = endAll, expected = rightResult } = {}) {
  const r = random(seedOf(seed, `kill ${kind}`, index));
  const { at, work, service = kind } = KINDS[kind];
  const wanted = await expected();
  return withFresh(
    async ({ page, trouble }) => {
      const early = r.below(4) === 0;
      if (!early) {
        await page.locator('main').first().waitFor({ timeout: 30_000 });
        await page.waitForTimeout(r.below(1500));
      }
      const lost = early ? async () => null : await type(page, KINDS[kind]);
      // Of a page that is still loading nobody knows what it can do.
      const worked = await Promise.resolve(work(page)).then(
        () => null,
        (error) => (early ? null : `the work did not begin: ${error.message.split('\n')[0]}`),
      );
      if (!early)
        await page
          .waitForFunction((name) => globalThis.livingOf(name).length > 0, service, { timeout: 10_000, polling: 10 })
          .catch(() => {}); // counted below
      await page.waitForTimeout(r.below(600));
      const ended = await end(page, service);
      await page.clock.runFor(25_000);
      await startAgain(page, 3);
      const flaw = worked ?? (await lost());
      const result = await runsRightWithClock(page);
      return { early, ended, result, flaw: flaw ?? resultFlaw(result, wanted) ?? trouble[0] ?? null };
    },
    { at: `#${at}`, init: async (page) => (await page.clock.install(), remembering(page)) },
  );
}

const endAll = (page, service) => page.evaluate((name) => globalThis.endAll(name), service);

/** What is wrong with the result of the next run. */
export function resultFlaw(result, wanted) {
  if (result === null) return 'the next run gives no result';
  return result === wanted ? null : `the next run gives ${result}, and ${wanted} in a page that nothing disturbs`;
}

/** The page notices by the silence, and offers to start again where somebody waits. */
async function startAgain(page, times) {
  const again = page.getByRole('button', { name: 'Start again' });
  for (let i = 0; i < times && (await again.count()) > 0; i += 1) {
    await again
      .first()
      .click({ timeout: 5000 })
      .catch(() => {}); // gone meanwhile
    await page.waitForTimeout(300);
  }
}

/** The next run, with the page's clock ahead so that silence is noticed at once. */
async function runsRightWithClock(page) {
  const run = runsRight(page, 45_000);
  for (let i = 0; i < 4; i += 1) {
    await page.clock.runFor(12_000).catch(() => {});
    await startAgain(page, 1).catch(() => {});
    const done = await Promise.race([run.then(() => true), new Promise((wait) => setTimeout(() => wait(false), 4000))]);
    if (done) break;
  }
  return run;
}

/** Cases `from` to `from + cases` − 1 of a kind, as a row of the report. */
export async function killsOf(kind, { cases, from, seed, kill = killOnce }) {
  const flaws = [];
  const sum = { ended: 0, hit: 0, early: 0 };
  for (let index = from; index < from + cases; index += 1) {
    const one = await kill(kind, index, seed).catch((error) => ({ ended: 0, flaw: error.message.split('\n')[0] }));
    sum.ended += one.ended;
    sum.hit += one.ended > 0 ? 1 : 0;
    sum.early += one.early ? 1 : 0;
    if (one.flaw) flaws.push({ index, flaw: one.flaw });
  }
  if (sum.hit === 0) flaws.push({ index: from, flaw: 'no worker of this kind was ended in any case' });
  const field = KINDS[kind].field === null ? 'no field to type into' : `typed into ${KINDS[kind].field}`;
  const more = `${sum.ended} workers ended in ${sum.hit} cases; ${sum.early} cases early; ${field}`;
  return { name: `kills of ${kind}`, cases, flaws, more };
}
