// Workers that end at any moment, as when the browser kills one or its memory runs out: the next run is right, and nothing typed is lost.
import { random, seedOf } from './random.mjs';
import { runsRight, withFresh } from './pages.mjs';

const RUN = 'v=1&example=matvec-rows&gpu=rtx3060&model=gpu';
const press = (name) => (page) => page.getByRole('button', { name, exact: true }).first().click({ timeout: 5000 });

/** For each kind of worker: where it works, and what makes it work. */
export const KINDS = {
  scenario: { at: RUN, work: (page) => page.locator('#state').selectOption('warm') },
  reuse: { at: 'v=1&example=matvec-rows&view.tab=reuse', work: press('Analyse') },
  part: { at: 'v=1&example=matvec-rows&view.tab=reuse', work: press('Analyse') },
  topology: { at: `${RUN}&view.tab=topology&view.topology.mode=discover`, work: () => {} },
  machine: { at: `${RUN}&view.tab=topology&view.topology.mode=machine`, work: press('Measure') },
  placement: { at: 'v=1&example=matmul-naive&cuda.size.n=32&gpu=k20c&view.tab=placement', work: () => {} },
  course: { at: 'v=1&exercise=half-bytes&seed=1', work: press('Check') },
  papers: { at: `${RUN}&view.tab=check`, work: press('Run all rows') },
  hash: { at: RUN, work: () => {} },
};

/** Before any script of the page: workers are remembered by what they are, and can end without a word. */
const remembering = (page) =>
  page.addInitScript(() => {
    globalThis.workersOf = {};
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      postMessage(message, ...more) {
        const kind = message?.service;
        if (kind) (globalThis.workersOf[kind] ??= []).push(this);
        super.postMessage(message, ...more);
      }
    };
    globalThis.endAll = (kind) => {
      const list = globalThis.workersOf[kind] ?? [];
      for (const worker of list) Real.prototype.terminate.call(worker);
      globalThis.workersOf[kind] = [];
      return list.length;
    };
  });

const TYPED = 'typed before the end';

/** Types into a field of the page, where there is one; gives what reads it back. */
async function type(page) {
  const field = page.locator('#learn-name, #learn-kernel, textarea, #tab-panel input[type=text]').first();
  if ((await field.count()) === 0) return async () => true;
  const id = await field.getAttribute('id');
  if (id === null) return async () => true;
  await field.fill(TYPED, { timeout: 5000 }).catch(() => {});
  const given = await field.inputValue().catch(() => '');
  return async () =>
    (await page
      .locator(`#${id}`)
      .inputValue({ timeout: 2000 })
      .catch(() => given)) === given;
}

/** One end of a worker of a kind at a random moment. Gives what is wrong, or null; and whether such a worker was there. */
export async function killOnce(kind, index, seed) {
  const r = random(seedOf(seed, `kill ${kind}`, index));
  const { at, work } = KINDS[kind];
  return withFresh(
    async ({ page, trouble }) => {
      // Anywhere from the first moments of loading to the middle of the work.
      const early = r.below(4) === 0;
      if (!early) {
        await page.locator('main').first().waitFor({ timeout: 30_000 });
        await page.waitForTimeout(r.below(1500));
      }
      const kept = early ? async () => true : await type(page);
      await Promise.resolve(work(page)).catch(() => {});
      await page.waitForTimeout(r.below(600));
      const ended = await page.evaluate((name) => globalThis.endAll(name), kind);
      const lost = (await kept()) ? null : 'what was typed is lost';
      await page.clock.runFor(25_000);
      const again = page.getByRole('button', { name: 'Start again' });
      // The page notices by the silence, and offers to start again where somebody waits.
      for (let i = 0; i < 3 && (await again.count()) > 0; i += 1) {
        await again
          .first()
          .click({ timeout: 5000 })
          .catch(() => {});
        await page.waitForTimeout(300);
      }
      const right = await runsRightWithClock(page);
      const wrong = right === null ? 'the next run gives no result' : null;
      return { ended, flaw: lost ?? wrong ?? trouble[0] ?? null, result: right };
    },
    { at: `#${at}`, init: async (page) => (await page.clock.install(), remembering(page)) },
  );
}

/** The next run, with the page's clock ahead so that silence is noticed at once. */
async function runsRightWithClock(page) {
  const run = runsRight(page, 45_000);
  for (let i = 0; i < 4; i += 1) {
    await page.clock.runFor(12_000).catch(() => {});
    const again = page.getByRole('button', { name: 'Start again' });
    if ((await again.count().catch(() => 0)) > 0)
      await again
        .first()
        .click({ timeout: 2000 })
        .catch(() => {});
    const done = await Promise.race([run.then(() => true), new Promise((wait) => setTimeout(() => wait(false), 4000))]);
    if (done) break;
  }
  return run;
}
