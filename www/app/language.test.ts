import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedIn, preferred, withLanguage, withoutLanguage } from './language';

test('a link names a language that the page speaks, or none', () => {
  assert.equal(namedIn('v=1&example=gemm&lang=zh'), 'zh');
  assert.equal(namedIn('lang=en&v=1'), 'en');
  assert.equal(namedIn('v=1&lang=xx'), null);
  assert.equal(namedIn('v=1&file=lang=zh.trc'), null);
  assert.equal(namedIn(''), null);
});

test('the scenario of a link is the link without the language', () => {
  assert.equal(withoutLanguage('v=1&example=gemm&lang=zh'), 'v=1&example=gemm');
  assert.equal(withoutLanguage('lang=zh&v=1'), 'v=1');
  assert.equal(withoutLanguage('v=1&lang=zh&result=0'), 'v=1&result=0');
  assert.equal(withoutLanguage('lang=zh'), '');
});

test('the browser’s first language that the page speaks is the default', () => {
  assert.equal(preferred(['de-DE', 'zh-CN', 'en']), 'zh');
  assert.equal(preferred(['en-GB', 'zh']), 'en');
  assert.equal(preferred(['fr']), 'en');
});

test('a link names the language only where another browser like this one would choose another', () => {
  assert.equal(withLanguage('v=1', 'zh', ['zh-TW']), 'v=1');
  assert.equal(withLanguage('v=1', 'zh', ['en']), 'v=1&lang=zh');
  assert.equal(withLanguage('', 'en', ['zh']), 'lang=en');
  assert.equal(withLanguage('', 'en', ['en']), '');
});
