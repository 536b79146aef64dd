// What `npm start` serves, and what it refuses.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { HEADERS, serve } from '../build/serve.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'serve-'));
const root = path.join(folder, 'dist');
mkdirSync(root);
writeFileSync(path.join(root, 'index.html'), '<p>page</p>');
writeFileSync(path.join(folder, 'secret.txt'), 'secret');
symlinkSync(path.join(folder, 'secret.txt'), path.join(root, 'out.txt'));
symlinkSync(folder, path.join(root, 'up'));
symlinkSync(path.join(root, 'index.html'), path.join(root, 'within.html'));
// The served folder may itself be a link.
symlinkSync(root, path.join(folder, 'linked'));
const site = await serve(path.join(folder, 'linked'), { headers: HEADERS });
after(() => {
  site.close();
  rmSync(folder, { recursive: true });
});

/** Asks with a path that no URL parser has put in order. */
const ask = (at, options = {}) =>
  new Promise((done, fail) => {
    const { hostname, port } = new URL(site.url);
    const request = http.request({ hostname, port, path: at, agent: false, ...options }, async (response) => {
      let text = '';
      for await (const part of response) text += part;
      done({ status: response.statusCode, headers: response.headers, text });
    });
    request.on('error', fail).end();
  });

test('the page comes with the headers that a host should send', async () => {
  const { status, headers, text } = await ask('/');
  assert.deepEqual([status, text], [200, '<p>page</p>']);
  for (const [name, value] of Object.entries(HEADERS)) assert.equal(headers[name], value);
  assert.match(headers['content-security-policy'], /frame-ancestors/);
  const refused = await ask('/none');
  assert.deepEqual([refused.status, refused.headers['x-content-type-options']], [404, 'nosniff']);
});

test('HEAD gives no body, other methods are refused', async () => {
  assert.deepEqual(await ask('/', { method: 'HEAD' }).then(({ status, text }) => [status, text]), [200, '']);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const { status, headers } = await ask('/', { method });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], method);
  }
});

test('only names of this machine are answered', async () => {
  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST:8080', '[::1]:8080']) {
    assert.equal((await ask('/', { headers: { host } })).status, 200, host);
  }
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:8080']) {
    assert.equal((await ask('/', { headers: { host } })).status, 421, host);
  }
});

test('no path and no link leads out of the folder', async () => {
  assert.equal((await ask('/within.html')).status, 200);
  const out = [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/out.txt',
    '/up/secret.txt',
    '/%00',
    '/%',
    '//secret.txt',
  ];
  for (const at of out) {
    const { status, text } = await ask(at);
    assert.deepEqual([status, text.includes('secret')], [404, false], at);
  }
});
