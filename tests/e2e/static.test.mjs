// What holds for the page whatever it shows: it works from a sub-path, keeps to its host, ships one engine.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertAccessible, withPage } from './browser.mjs';

const dist = new URL('../../dist/', import.meta.url);

test('the page starts from a sub-path without trouble and is accessible', () =>
  withPage(async ({ page }) => {
    await page.waitForLoadState('networkidle');
    assert.match(await page.title(), /Warpscope/);
    await assertAccessible(page);
  }));

test('workers share the engine files: none is published twice', () => {
  const modules = readdirSync(dist)
    .filter((name) => name.endsWith('.wasm'))
    .map((name) => readFileSync(new URL(name, dist)).toString('base64'));
  assert.ok(modules.length >= 1);
  assert.equal(new Set(modules).size, modules.length);
});

test('the policy keeps scripts of the page from speaking to another host', () =>
  withPage(
    async ({ page }) => {
      // The page's own port under its other name: reachable, so that only the policy can refuse it.
      const other = page.url().replace('127.0.0.1', 'localhost');
      // `no-cors`, or the missing permission of the other host would refuse it first.
      const outcome = await page.evaluate(
        (url) =>
          fetch(url, { mode: 'no-cors' }).then(
            () => 'answered',
            (error) => error.name,
          ),
        other,
      );
      assert.equal(outcome, 'TypeError');
    },
    { expectTrouble: /Content Security Policy|Refused to connect/ },
  ));

test('the policy refuses inline scripts and styles', () =>
  withPage(
    async ({ page }) => {
      const csp = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
      assert.match(csp, /default-src 'none'/);
      assert.doesNotMatch(csp, /'unsafe-inline'|'unsafe-eval'|https?:/);
      const refused = await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.ranInline = true';
        const style = document.createElement('style');
        style.textContent = 'body { outline: 7px solid red; }';
        document.head.append(script, style);
        return [globalThis.ranInline === undefined, getComputedStyle(document.body).outlineWidth !== '7px'];
      });
      assert.deepEqual(refused, [true, true]);
    },
    { expectTrouble: /Content Security Policy|Refused to (execute|apply)/ },
  ));
