// The hidden memory of the Placement tab, whose address bits a person finds by timing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nativeJson } from '../native.mjs';
import { withPage } from './browser.mjs';

test('a hidden memory is measured, answered, and found by both probes', () =>
  withPage(
    async ({ page }) => {
      await page.locator('.answer').waitFor();
      assert.equal(await page.locator('#memory-seed').inputValue(), '4');
      await page.getByRole('button', { name: 'Measure', exact: true }).click();
      await page.locator('.bench svg').waitFor();
      await page.locator('.bench').getByText('The numbers as a table').click();
      const rows = await page.locator('.bench tbody tr').allInnerTexts();
      assert.equal(rows.length, 28);
      for (const row of rows) {
        const [bit, , median] = row.split('\t').map(Number);
        await page.locator(`#bit-${bit}`).selectOption(median < 547 ? 'column' : median < 875 ? 'bank' : 'row');
      }
      // An answer that cannot be read reveals nothing.
      await page.getByLabel('Hashed together').fill('21+');
      await page.getByRole('button', { name: 'Reveal and score' }).click();
      await page.locator('#memory-groups:invalid').waitFor();
      assert.equal(await page.getByTestId('dram-score').count(), 0);
      await page.getByLabel('Hashed together').fill('21+22');
      await page.getByRole('button', { name: 'Reveal and score' }).click();
      const score = page.getByTestId('dram-score');
      assert.equal(await score.innerText(), 'You have 28 of 28 bits right and 1 of 6 hashed banks.');
      const truth = nativeJson('dram-map', '--seed', '4', '--hashed').truth;
      const text = await page.locator('.revealed tbody tr').first().innerText();
      assert.ok(
        text.includes(truth.column.join(' ')) && text.includes(truth.bank.map((bits) => bits.join(' + ')).join(', ')),
        text,
      );
      await page.locator('aside').getByRole('button', { name: 'Let the page find out' }).click();
      await score.filter({ hasText: 'with the pair probe 28 and 6' }).waitFor();
      await page.getByRole('checkbox', { name: /Banks are hashed/ }).uncheck();
      await page.waitForFunction(() => !document.querySelector('.revealed'));
      await page.locator('aside').getByRole('button', { name: 'Let the page find out' }).click();
      await score.filter({ hasText: 'Algorithm 1 gets 28 of 28 bits right.' }).waitFor();
    },
    { at: '#v=1&view.tab=placement&view.placement.mode=memory&view.placement.seed=4&view.placement.hashed=1' },
  ));
