// The page in Chinese: which language it opens in, the switch, and every tab in a narrow window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, assertAccessible, assertFits, PHONE, withPage } from './browser.mjs';
import { atRest, cutTexts } from './cut.mjs';
import { latin } from './latin.mjs';

const CHINESE = { locale: 'zh-CN' };
const verdict = (page) => page.getByTestId('verdict');
const language = (page) => page.evaluate(() => [document.documentElement.lang, document.title]);
/** Files of the page's own code that were asked for. */
const scripts = (site) => site.seen.map((line) => line.split('/').at(-1)).filter((name) => /^main\b.*\.js$/.test(name));

test('the page opens in the language of the browser, and fetches no other', () =>
  withPage(
    async ({ page, site }) => {
      await verdict(page).getByText('用时').first().waitFor();
      assert.deepEqual(await language(page), ['zh-Hans', 'Warpscope：GPU 访存为什么未命中']);
      assert.deepEqual(
        scripts(site).map((name) => name.replace(/\.[0-9a-f]{8}\./, '.')),
        ['main.zh.js'],
      );
      // A browser like this one chooses the same, so that the link need not say it.
      await page.waitForFunction(() => location.hash.includes('result='));
      assert.doesNotMatch(await address(page), /lang=/);
    },
    { context: CHINESE },
  ));

test('a link names the language, and the switch keeps the scenario', () =>
  withPage(
    async ({ page }) => {
      await verdict(page).getByText('L1').first().waitFor();
      assert.equal((await language(page))[0], 'zh-Hans');
      await page.waitForFunction(() => /result=.*&lang=zh$/.test(location.hash));
      const chinese = await address(page);
      assert.match(chinese, /example=matmul-naive&gpu=gtx470-48k&set\.ways=8/);
      await page.getByRole('button', { name: 'English' }).click();
      await page.waitForFunction(() => document.documentElement.lang === 'en');
      await verdict(page).waitFor();
      // English is what this browser would choose.
      await page.waitForFunction((link) => location.href === link, chinese.replace('&lang=zh', ''));
      // The choice is kept, and the link names it where it is not the browser's.
      await page.getByRole('button', { name: '中文' }).click();
      await page.waitForFunction(() => document.documentElement.lang === 'zh-Hans');
      await verdict(page).waitFor();
      await page.goto('about:blank');
      await page.goto(chinese.replace(/#.*/, ''));
      await page.waitForFunction(() => document.documentElement.lang === 'zh-Hans' && /lang=zh/.test(location.hash));
    },
    { at: '#v=1&example=matmul-naive&gpu=gtx470-48k&set.ways=8&lang=zh' },
  ));

/** Where the engine's own English may stand: where a value comes from. */
const CITED = /^来源：|^(NVIDIA|GeForce|CUDA|GPGPU-Sim|HPCA)/;

const RUN = 'v=1&example=matvec-rows&gpu=rtx3060&model=gpu';
for (const [tab, at] of [
  ['cache, the whole GPU', RUN],
  ['cache, one L1', 'v=1&example=matmul-naive&gpu=gtx470-16k'],
  ['kernel', `${RUN}&view.tab=kernel`],
  ['reuse', `${RUN}&view.tab=reuse`],
  ['topology', `${RUN}&view.tab=topology`],
  ['discover', `${RUN}&view.tab=topology&view.topology.mode=discover`],
  ['measure', `${RUN}&view.tab=topology&view.topology.mode=machine`],
  ['placement', `${RUN}&view.tab=placement`],
  ['self-check', `${RUN}&view.tab=check`],
  ['memory mapping', `${RUN}&view.tab=placement&view.placement.mode=memory`],
])
  test(`in Chinese on a phone: ${tab}`, () =>
    withPage(
      async ({ page }) => {
        await page.waitForLoadState('networkidle');
        await atRest(page);
        await page.waitForFunction(() => /[\u4e00-\u9fff]/.test(document.body.innerText));
        await page.waitForTimeout(500);
        await assertFits(page);
        assert.deepEqual(await page.evaluate(cutTexts), []);
        assert.deepEqual(
          (await page.evaluate(latin)).filter((text) => !CITED.test(text)),
          [],
        );
        await assertAccessible(page);
      },
      { at: `#${at}`, context: { ...PHONE, ...CHINESE } },
    ));

test('a text that is cut, English, and a page that does not come to rest are found', () =>
  withPage(
    async ({ page }) => {
      await atRest(page);
      await page.waitForFunction(() => /[\u4e00-\u9fff]/.test(document.body.innerText));
      const put = (markup) =>
        page.evaluateHandle((text) => {
          const box = document.createElement('div');
          box.innerHTML = text;
          document.querySelector('main').append(box);
          return box;
        }, markup);
      for (const [markup, found] of [
        ['<p class="long">a text that is too long for it</p>', /too long for it/],
        [
          '<select class="narrow"><option>an option that is wider</option></select>',
          /an option that is wider \(\d+ px\)/,
        ],
        ['<input class="narrow" placeholder="a hint that is wider">', /a hint that is wider/],
      ]) {
        const box = await put(markup);
        await box.evaluate((element) => {
          Object.assign(element.firstChild.style, { width: '60px', overflow: 'hidden', whiteSpace: 'nowrap' });
        });
        assert.match((await page.evaluate(cutTexts)).join('\n'), found);
        await box.evaluate((element) => element.remove());
      }
      const english = await put('<p>words that nobody translated</p><p title="a title nobody translated">好</p>');
      const said = await page.evaluate(latin);
      for (const text of ['words that nobody translated', 'a title nobody translated'])
        assert.ok(said.includes(text), text);
      await english.evaluate((element) => element.remove());
      await put('<p data-testid="topology-progress">…</p>');
      await assert.rejects(atRest(page, 500), /Timeout/);
    },
    { at: `#${RUN}`, context: { ...PHONE, ...CHINESE } },
  ));
