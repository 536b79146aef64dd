// What a person does on each tab, for scripts/measure/tasks.mjs and axe.mjs: scenes of steps `[name, act, selector to wait for]`.

import { drop } from '../../tests/e2e/drop.mjs';

const press = (name) => (page) => page.getByRole('button', { name }).first().click();
const tab = (name) => (page) => page.getByRole('tab', { name }).click();
/** On a phone the settings are folded away. */
const unfold = (page, selector) =>
  page.locator(selector).evaluate((element) => {
    for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  });
const choose = (selector, value) => async (page) => {
  await unfold(page, selector);
  await page.locator(selector).selectOption(value);
};

/** All folds of the tab, one after the other as a person would. */
const folds = async (page) => {
  const folded = page.locator('.folded > details:not([open]) > summary');
  while ((await folded.count()) > 0) {
    await folded.first().click();
    await page.waitForTimeout(150);
  }
};

const sorted = async (page) => {
  for (const header of (await page.locator('th button:visible').all()).slice(0, 6)) await header.click();
};

const allRows = async (page) => {
  for (const more of await page.getByRole('button', { name: /^Show (all|\d)/ }).all()) {
    if (await more.isVisible()) await more.click();
  }
};

const theme = (name) => (page) => page.getByRole('radio', { name, exact: true }).check();

/** Moves the reading of the first live chart, then zooms in and out. */
const zoomed = async (page) => {
  await page.getByRole('slider').first().focus();
  for (const key of ['ArrowRight', 'ArrowRight', '+', '+', 'ArrowRight', '-', '-']) await page.keyboard.press(key);
};

/** Walks the misses from a late step on, to the first that a change could have avoided. */
const laterMisses = async (page) => {
  await press('All accesses again')(page);
  await page.locator('.stepper input').first().fill('20000');
  await press('Go')(page);
  const check = page.getByRole('button', { name: 'Check by running it' });
  for (let i = 0; i < 20 && !(await check.isVisible()); i += 1) {
    await press('Next miss')(page);
    await page.waitForTimeout(200);
  }
};

/** A loop over 500 lines of 64 bytes, with a repeat of each. */
const LACKEY =
  Array.from({ length: 20_000 }, (_, i) => ` L ${(0x10000 + (Math.floor(i / 2) % 500) * 64).toString(16)},8`).join(
    '\n',
  ) + '\n';

const type = async (page) => {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// one two three four five six seven\n', { delay: 20 });
};

/** Waits until something is shown, nothing is under way and all figures are drawn. */
export const settle = async (page) => {
  await page.waitForFunction(
    () =>
      document.querySelector('#result h2') &&
      !document.querySelector('[aria-busy="true"], progress:not(.game-bar progress)') &&
      document.querySelectorAll('.figure-frame > svg').length === document.querySelectorAll('.figure-frame').length,
    undefined,
    { timeout: 60_000 },
  );
  await page.waitForTimeout(400);
};

export const SCENES = [
  {
    name: 'Cache, whole GPU',
    at: '',
    steps: [
      ['details unfolded', folds],
      ['all rows', allRows],
      ['sorted', sorted],
      ['chart read and zoomed', zoomed],
      ['dark', theme('Dark')],
      ['light', theme('Light')],
      [
        'one array',
        (page) => page.locator('[data-part=arrays] tbody button').first().click(),
        '.only .chip:has-text("Only")',
      ],
      ['all arrays', (page) => page.locator('.only button').first().click()],
      [
        'a miss of the whole GPU',
        async (page) => {
          await page.locator('.why-pick select[name=outcome]').selectOption('misses');
          await press('Find')(page);
        },
        '.why-now',
      ],
      ['checked by running', press('Check by running it'), '.what-if, .why-now'],
      ['better form', press(/Compare with the/), '[data-testid=compare] table'],
      ['unpinned', press('Stop comparing')],
      ['gallery', press('Browse…'), 'dialog[open] li'],
      [
        'gallery searched',
        (page) => page.getByLabel('Search', { exact: true }).pressSequentially('shared', { delay: 20 }),
      ],
      ['example chosen', press(/Sum by a tree/), '.verdict'],
      ['GPU chosen', choose('#gpu', 'a100')],
      ['back', (page) => page.goBack()],
      ['forward', (page) => page.goForward()],
      ['Kernel', tab(/Kernel/), '.cm-content'],
      ['Reuse', tab(/Reuse/), '.sentence'],
      ['Topology', tab(/Topology/), '.hierarchy svg'],
      ['Placement', tab(/Placement/), '.verdict'],
      ['Cache again', tab(/Cache/), '.verdict'],
    ],
  },
  {
    name: 'Cache, one L1',
    at: '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper',
    steps: [
      ['details unfolded', folds],
      ['all rows', allRows],
      ['sorted', sorted],
      ['chart read and zoomed', zoomed],
      [
        'one array',
        (page) => page.locator('section', { hasText: 'Misses by array' }).locator('tbody button').first().click(),
        '.only .chip',
      ],
      ['all arrays', (page) => page.locator('.only button').first().click()],
      ['pinned', press('Keep to compare'), '[data-testid=compare]'],
      [
        'ways changed',
        async (page) => {
          await unfold(page, '#set-ways');
          await page.locator('#set-ways').fill('8');
          await page.locator('#set-ways').press('Tab');
        },
        '[data-testid=compare] table',
      ],
      [
        'sweep',
        async (page) => {
          await page.getByLabel('Values', { exact: true }).first().fill('2,4');
          await page.locator('.sweep-form').getByRole('button').click();
        },
        '[data-testid=sweep-result] .drawing',
      ],
      ['stepped', press('Forward ▸')],
      ['next miss', press('Next miss')],
      ['access picked', press('Find')],
      ['later misses', laterMisses],
      ['checked by running', press('Check by running it'), '.what-if'],
    ],
  },
  {
    name: 'Kernel',
    at: '#v=1&view.tab=kernel',
    steps: [
      ['typed', type],
      ['run', (page) => page.keyboard.press('Control+Enter')],
      ['another kernel', choose('#example', 'matmul-naive')],
    ],
  },
  {
    name: 'Reuse',
    at: '#v=1&view.tab=reuse',
    steps: [
      ['details unfolded', folds],
      ['chart read and zoomed', zoomed],
      ['order', (page) => page.getByLabel('Order of requests').selectOption('model')],
      ['file dropped', (page) => drop(page, 'main', [{ name: 'loop.lackey', content: LACKEY }])],
      ['comparison', press('Run the comparison'), '[data-testid=reuse-comparison] tbody tr'],
      ['sweep', press('Run the sweep'), '[data-testid=reuse-sweep]'],
    ],
  },
  {
    name: 'Topology',
    at: '#v=1&view.tab=topology',
    steps: [
      ['details unfolded', folds],
      ['GPU', choose('#topology-first', 'mi210')],
      ['beside another', choose('#topology-second', 'a100'), '.comparison'],
      ['all rows', allRows],
      ['game', theme('Discover'), '.bench'],
      ['first experiment', press('Measure')],
      ['found out', press('Let the page find out')],
    ],
  },
  {
    name: 'Placement',
    at: '#v=1&example=matmul-naive&gpu=k20c&view.tab=placement',
    steps: [
      ['details unfolded', folds],
      ['all rows', allRows],
      ['array moved', (page) => page.getByRole('radio', { name: 'A in constant', exact: true }).check()],
      ['GPU', choose('#placement-gpu', 'a100')],
      ['memory mapping', theme('Memory mapping'), '.answer'],
      ['memory measured', press('Measure'), '.bench svg'],
    ],
  },
];
