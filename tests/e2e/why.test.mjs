// "Why this access?": steps forward and back, to misses, by array, a check by running, and the step in the link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { native } from '../native.mjs';
import { address, assertAccessible, assertFits, linked, PHONE, withPage } from './browser.mjs';

const small =
  'example=matvec-rows&cuda.size.rows=512&cuda.size.columns=8&gpu=gtx470-16k&set.cache_bytes=2048&set.ways=2';
const at = (more = '') => `#v=1&${small}&model=paper&set.mshrs=24${more}`;

const now = (page) => page.locator('.why-now');
const step = (page, number) =>
  page.waitForFunction((n) => document.querySelector('.stepper input')?.value === n, String(number));
/** A count as the page writes it. */
const plainCount = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

/** What the terminal says of the same question. */
const told = (...asked) => {
  const files = ['example:matvec-rows', '--size', 'rows=512', '--size', 'columns=8'];
  const set = ['cache_bytes=2048', 'ways=2', 'mshrs=24'].flatMap((one) => ['--set', one]);
  return JSON.parse(native('why', ...files, '--gpu', 'gtx470-16k', ...set, ...asked, '--format', 'json'));
};

test('a run is stepped through by buttons and keys, and an access is picked', () =>
  withPage(
    async ({ page }) => {
      await step(page, 1);
      await now(page).getByText('compulsory miss').waitFor();
      await now(page).getByText('Nothing would have made it hit').waitFor();
      await press(page, 'Forward ▸');
      await step(page, 2);
      await press(page, '◂ Back');
      await step(page, 1);
      const misses = told('--core', '0', '--misses', '--at', '2');
      await press(page, 'Next miss');
      await step(page, misses.step);
      await press(page, 'Previous miss');
      await step(page, 1);
      // Keys work from any button of the stepper.
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await step(page, 3);
      await page.keyboard.press('Home');
      await step(page, 1);
      await page.keyboard.press('ArrowUp');
      await page.getByText('Expected such an access before this step').waitFor();

      // Stores pass by this L1, so that none is a step.
      const offered = await page.locator('.why-pick select[name=instruction]').innerText();
      assert.match(offered, /: load of A/);
      assert.doesNotMatch(offered, /store/);

      await page.locator('.why-pick select[name=array]').selectOption({ label: 'x' });
      await press(page, 'Find');
      const picked = told('--array', 'x', '--misses');
      await page.getByText(`${picked.matches} accesses fit.`).waitFor();
      await step(page, picked.step);
      await press(page, 'Next match');
      await step(page, told('--array', 'x', '--misses', '--core', String(picked.core), '--at', '2').step);
      await press(page, 'Previous match');
      await step(page, picked.step);
      await press(page, 'All accesses again');

      // A miss for want of ways says so, and runs with a change say what is true.
      const lost = told('--core', '0', '--misses', '--at', '200');
      assert.ok(lost.what_if.length > 1, 'the access is a miss that a change could have avoided');
      await page.locator('.stepper input').first().fill(String(lost.step));
      await press(page, 'Go');
      await now(page)
        .getByText(`With ${lost.steps[0].distance + 1} ways it would hit, if the order stays`)
        .waitFor();
      await page.getByRole('button', { name: 'Check by running it' }).press('Enter');
      await page.locator('.what-if').waitFor();
      // The button is gone; the focus is at what came of it.
      await page.waitForFunction(() => document.activeElement?.closest('.why-now'));
      assert.equal(await page.locator('.what-if li').count(), lost.what_if.length);
      const hits = lost.what_if.filter((one) => one.outcome === 'hit').length;
      assert.equal(await page.locator('.what-if strong').count(), hits);
      assert.equal(await page.locator('.why-tables caption').first().innerText(), `Stack of set ${lost.steps[0].set}`);
      await linked(page, new RegExp(`view\\.why=${lost.step}(&|$)`));
      await assertAccessible(page);
    },
    { at: at() },
  ));

test('a link opens at its step on a phone, and the authors’ program leads to the model paper', () =>
  withPage(
    async ({ page }) => {
      await step(page, 57);
      await page.locator('.why-tables').waitFor();
      await assertFits(page);
      await page.waitForFunction(() => location.hash.includes('result='));
      const link = (await address(page)).replace(/&result=[^&]*/, '');
      await page.goto(link.replace('#v=1', '#v=1&model=reference'));
      await page.reload();
      await press(page, 'Use the model “paper”');
      await step(page, 57);
    },
    { at: at('&view.why=57'), context: { ...PHONE, colorScheme: 'dark' } },
  ));

/** What the terminal says of a question about the whole GPU. */
const toldOfGpu = (gpu, ...asked) => {
  const files = ['example:matvec-rows', '--gpu', gpu, '--model', 'gpu'];
  const set = ['l1_bytes=8192', 'l1_ways=4'].flatMap((one) => ['--set', one]);
  return JSON.parse(native('why', ...files, ...set, ...asked, '--format', 'json'));
};
const smallL1 = (gpu) => `#v=1&example=matvec-rows&gpu=${gpu}&model=gpu&set.l1_bytes=8192&set.l1_ways=4`;

test('the whole GPU: an access says where it was served and why, and runs with a change say what would have helped', () =>
  withPage(
    async ({ page }) => {
      await step(page, 1);
      await now(page).getByText('compulsory miss, from DRAM').waitFor();
      await now(page).getByText('Nobody asked the L2 for it before in this launch.').waitFor();
      await press(page, 'Forward ▸');
      await step(page, 2);
      await press(page, '◂ Back');
      await step(page, 1);

      // What fits nothing is said where it was asked for.
      const kind = page.locator('.why-pick select[name=outcome]');
      await page.locator('.why-pick input[name=line]').fill('0x10');
      await press(page, 'Find');
      await page.locator('.why-pick [role=status]').getByText('found none in this run').waitFor();
      await page.locator('.why-pick input[name=line]').fill('');

      await kind.selectOption('capacity misses');
      await press(page, 'Find');
      const miss = toldOfGpu('rtx3060', '--class', 'capacity');
      const one = miss.steps[0];
      await page.getByText(`${plainCount(miss.matches)} accesses fit.`).waitFor();
      await step(page, miss.step);
      await now(page)
        .getByText(/a line can go at each miss of its set.* More ways, or fewer lines in use, would make it likelier/)
        .waitFor();
      const said = (await now(page).innerText()).replaceAll('\u202f', '');
      assert.match(
        said,
        new RegExp(`^Cycle ${one.cycle}: warp ${one.warp} of block ${one.block}, access ${one.access} `),
      );
      assert.match(said, new RegExp(`${one.ready - one.cycle} cycles after the issue\\.`));
      const tables = await page.locator('.why-tables table').evaluateAll((all) => all.map((t) => t.caption.innerText));
      assert.equal(tables[1], `Set ${one.lines[one.focus].set} of the L1`);
      assert.match(tables[2], new RegExp(`^Places that wait for data, ${one.busy_mshrs} of \\d+ MSHRs busy$`));
      const lines = await page.locator('.why-tables table').first().locator('tbody tr').allInnerTexts();
      assert.deepEqual(
        lines[one.focus].split('\t'),
        Object.values(one.lines[one.focus]).flatMap((value, i) => (i === 1 ? [] : [String(value)])),
      );
      await press(page, 'Check by running it');
      await page.locator('.what-if').waitFor();
      assert.equal(await page.locator('.what-if li').count(), miss.what_if.length);
      const hits = miss.what_if.filter((change) => change.served === 'l1').length;
      assert.equal(await page.locator('.what-if strong').count(), hits);
      await press(page, 'Next match');
      const next = toldOfGpu('rtx3060', '--class', 'capacity', '--core', String(miss.core), '--at', '2').step;
      await step(page, next);
      await linked(page, new RegExp(`view\\.why=${next}(&|$)`));
      await assertAccessible(page);
      await page.setViewportSize(PHONE.viewport);
      await assertFits(page);
      // Its tables are five columns wide.
      await page.setViewportSize({ width: 320, height: 700 });
      await assertFits(page);
    },
    { at: `${smallL1('rtx3060')}&view.why=1` },
  ));

test('where the oldest line of a set goes first, the ways that would keep a line are told', () => {
  const miss = toldOfGpu('v100', '--class', 'capacity');
  return withPage(
    async ({ page }) => {
      await step(page, miss.step);
      const ways = miss.steps[0].set_distance + 1;
      await now(page).getByText(`With ${ways} ways in each set it would hit, if the order stays.`).waitFor();
      assert.doesNotMatch(await now(page).innerText(), /used longest ago/);
    },
    { at: `${smallL1('v100')}&view.why=${miss.step}` },
  );
});
