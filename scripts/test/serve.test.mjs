// What `npm start` serves, and what it refuses.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HEADERS } from '../build/serve.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'serve-'));
const root = path.join(folder, 'dist');
mkdirSync(root);
writeFileSync(path.join(root, 'index.html'), '<p>page</p>');
writeFileSync(path.join(folder, 'secret.txt'), 'secret');
symlinkSync(path.join(folder, 'secret.txt'), path.join(root, 'out.txt'));
symlinkSync(folder, path.join(root, 'up'));
symlinkSync(path.join(root, 'index.html'), path.join(root, 'within.html'));
writeFileSync(path.join(root, 'packed.js'), 'plain');
writeFileSync(path.join(root, 'packed.js.br'), 'brotli copy');
writeFileSync(path.join(root, 'packed.js.gz'), 'gzip copy');
writeFileSync(path.join(root, 'linked.js'), 'plain');
symlinkSync(path.join(folder, 'secret.txt'), path.join(root, 'linked.js.br'));
// The served folder may itself be a link.
symlinkSync(root, path.join(folder, 'linked'));

// As `npm start` runs it, on a free port.
const script = fileURLToPath(new URL('../build/serve.mjs', import.meta.url));
const server = spawn(process.execPath, [script, path.join(folder, 'linked')], { env: { ...process.env, PORT: '0' } });
const url = await new Promise((done, fail) => {
  let said = '';
  server.stdout.on('data', (text) => {
    said += text;
    const found = /http:\S+/.exec(said);
    if (found) done(found[0]);
  });
  server.on('exit', () => fail(new Error(`no address: ${said}`)));
});
after(() => {
  server.kill();
  rmSync(folder, { recursive: true });
});

/** Asks with a path that no URL parser has put in order. */
const ask = (at, options = {}) =>
  new Promise((done, fail) => {
    const { hostname, port } = new URL(url);
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
  const asked = {
    'connection-allowlist': '(response-origin)',
    'content-security-policy': "frame-ancestors 'self'",
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  assert.deepEqual(HEADERS, asked);
  for (const [name, value] of Object.entries(asked)) assert.equal(headers[name], value);
  const refused = await ask('/none');
  assert.deepEqual([refused.status, refused.headers['x-content-type-options']], [404, 'nosniff']);
});

test('a packed copy is sent to those who take it', async () => {
  const sent = async (accepted, at = '/packed.js') => {
    const { headers } = await ask(at, { headers: accepted === null ? {} : { 'accept-encoding': accepted } });
    return [headers['content-encoding'] ?? 'plain', headers['content-type'], headers.vary];
  };
  const as = (coding) => [coding, 'text/javascript', 'accept-encoding'];
  for (const [accepted, coding] of [
    [null, 'plain'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br;q=0.1', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'plain'],
    ['identity', 'plain'],
    ['br;q=nonsense', 'plain'],
  ])
    assert.deepEqual(await sent(accepted), as(coding), String(accepted));
  assert.equal((await ask('/packed.js', { headers: { 'accept-encoding': 'gzip' } })).text, 'gzip copy');
  // A file without copies, and a copy that is a link out of the folder.
  assert.equal((await sent('br, gzip', '/within.html'))[0], 'plain');
  assert.equal((await sent('br', '/linked.js'))[0], 'plain');
  assert.equal((await ask('/', { headers: { 'accept-encoding': 'br' } })).headers['content-encoding'], undefined);
});

test('HEAD gives no body, other methods are refused', async () => {
  assert.deepEqual(await ask('/', { method: 'HEAD' }).then(({ status, text }) => [status, text]), [200, '']);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const { status, headers } = await ask('/', { method });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], method);
  }
});

test('only names of this machine are answered', async () => {
  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST:8080']) {
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
