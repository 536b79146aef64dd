// Ways out of the page: whatever a script inside the page tries, nothing reaches another server. A server and a datagram socket of
// this machine listen; both can be reached, so that only the page's policy or its service worker can keep them silent.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { HEADERS } from '../../scripts/build/serve.mjs';
import { address, withPage } from './browser.mjs';
import { LEAVES, WAYS } from './ways-out.mjs';

const TROUBLE = /./;
const BY_NUMBER = 'WebRTC of a frame by its number';
const heard = [];
/** The first folders of the paths that were asked for. */
const folders = new Set();
const server = createServer(({ url }, answer) => {
  folders.add(url.split('/')[1]);
  if (url === '/bare.html') answer.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end('<p>x');
  else answer.writeHead(204, { connection: 'close' }).end();
});
server.on('connection', () => heard.push('connection'));
const datagrams = createSocket('udp4');
let at;

before(async () => {
  datagrams.on('message', () => heard.push('datagram'));
  await Promise.all([
    new Promise((done) => server.listen(0, '127.0.0.1', done)),
    new Promise((done) => datagrams.bind(0, '127.0.0.1', done)),
  ]);
  at = { tcp: server.address().port, udp: datagrams.address().port };
});
after(() => {
  server.close();
  datagrams.close();
});

/** Tries a way in the page, and says what was heard of it. */
async function tried(page, way, patience = 100) {
  heard.length = 0;
  const asked = `(async () => (${way})('http://127.0.0.1:${at.tcp}', ${JSON.stringify(at)}))()`;
  // As text over the debugging protocol, which the policy does not bind.
  await page.evaluate(`Promise.race([${asked}.catch(() => {}), new Promise((done) => setTimeout(done, 2500))])`);
  await page.waitForTimeout(patience);
  return heard.join(', ');
}

/** Tries each way and gives those by which something was heard. */
async function leaks(page, ways, patience = 100) {
  const found = {};
  for (const [name, way] of Object.entries(ways)) {
    const what = await tried(page, way, patience);
    if (what) found[name] = what;
  }
  heard.length = 0;
  await page.waitForTimeout(1000);
  if (heard.length > 0) found.late = heard.join(', ');
  return found;
}

const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

/** Ways that ask for no path: of these only a connection or a datagram is heard, so each is tried alone. */
const ALONE = Object.keys(WAYS).filter((name) => /^Web(RTC|Transport)|^preconnect$/.test(name));
/** Ways that this browser does not go even where nothing forbids them, so that their silence says nothing of the page's policy. */
const UNHEARD = [
  // The browser itself refuses them to other origins; of service workers, this test has none.
  ...['shape of SVG', 'track', 'worker', 'shared worker', 'service worker'],
  // Headless Chromium does not ask for them here; why is not known.
  ...['manifest', 'icon', 'prerender', 'preconnect'],
];

test('the listeners hear each way that no policy refuses', { timeout: 120_000 }, () =>
  withPage(
    async ({ page }) => {
      await page.goto(`http://localhost:${at.tcp}/bare.html`);
      const alone = await leaks(page, Object.fromEntries(ALONE.map((name) => [name, WAYS[name]])), 2500);
      const together = Object.entries(WAYS).filter(([name]) => !ALONE.includes(name));
      folders.clear();
      const go = async (named) => {
        const calls = together.map(([name, way], i) =>
          named(name) ? `(async () => (${way})('http://127.0.0.1:${at.tcp}/way${i}', {}))().catch(() => {})` : '0',
        );
        await page.evaluate(`void [${calls.join()}]`);
        await page.waitForTimeout(4000);
      };
      // It leads the page away, and what the others began would end.
      const away = (name) => name === 'form by GET';
      await go((name) => !away(name));
      await go(away);
      const unheard = together.map(([name], i) => (folders.has(`way${i}`) ? '' : name)).filter(Boolean);
      const silent = [...ALONE.filter((name) => !alone[name]), ...unheard];
      assert.deepEqual(
        silent.filter((name) => !UNHEARD.includes(name)),
        [],
      );
    },
    { expectTrouble: TROUBLE, foreign: true },
  ),
);

const HOSTS = {
  // No policy in a page forbids that way, and no script can undo it: docs/hosting.md names it.
  'a host that sends no headers, at the first visit': { open: true },
  'a host that sends the headers, at the first visit': { headers: HEADERS },
  'a host that sends no headers, once the service worker is there': { worker: true },
};

for (const [host, { open = false, worker = false, headers = {} }] of Object.entries(HOSTS)) {
  test(`nothing gets out: ${host}`, { timeout: 120_000 }, () =>
    withPage(
      async ({ page, context, site }) => {
        await page.getByTestId('verdict').waitFor();
        if (worker) {
          await kept(page);
          await page.reload();
          await page.getByTestId('verdict').waitFor();
        }
        const { [BY_NUMBER]: last, ...others } = WAYS;
        assert.deepEqual(await leaks(page, others), {});
        const fresh = await context.newPage();
        await fresh.goto(site.url);
        await fresh.getByTestId('verdict').waitFor();
        // Chromium ends a page that tries it against its allowlist.
        const what = await tried(fresh, last).catch(() => heard.join(', '));
        assert.equal(what !== '', open, `${BY_NUMBER}: ${what}`);
      },
      { context: worker ? { serviceWorkers: 'allow' } : {}, headers, expectTrouble: TROUBLE, foreign: true },
    ),
  );
}

test('no script leads the page away', () =>
  withPage(
    async ({ page, site }) => {
      for (const [name, way] of Object.entries(LEAVES)) {
        await page.goto(`${site.url}?${encodeURIComponent(name)}`);
        await page.getByTestId('verdict').waitFor();
        assert.equal(await tried(page, way), '', name);
        const now = await address(page);
        assert.ok(now.startsWith(site.url), `${name}: ${now}`);
      }
    },
    { expectTrouble: TROUBLE, foreign: true },
  ));

test('the service worker alone refuses what is not of the site, also of its own host', () =>
  withPage(
    async ({ page, site }) => {
      await kept(page);
      await page.reload();
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      const through = [
        'fetch',
        'fetch that outlives the page',
        'XMLHttpRequest',
        'image',
        'style sheet',
        'script',
        'font',
        'EventSource',
      ];
      assert.deepEqual(await leaks(page, Object.fromEntries(through.map((name) => [name, WAYS[name]]))), {});
      const asked = (path, options) =>
        page.evaluate(
          ([p, o]) =>
            fetch(p, o).then(
              (answer) => answer.status,
              (error) => error.name,
            ),
          [path, options],
        );
      const before = site.seen.length;
      assert.equal(await asked('/elsewhere/'), 'TypeError');
      assert.equal(await asked('./index.html', { method: 'POST' }), 'TypeError');
      assert.equal(await asked('./index.html'), 200);
      // The browser may look for a newer service worker meanwhile.
      assert.deepEqual(
        site.seen.slice(before).filter((line) => /elsewhere|index\.html/.test(line)),
        [],
      );
    },
    { context: { serviceWorkers: 'allow', bypassCSP: true }, expectTrouble: TROUBLE, foreign: true },
  ));
