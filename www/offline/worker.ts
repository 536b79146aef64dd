// The service worker: it keeps the files of this site, answers from them, and refuses every other request.
//
// A newer worker waits until a person asks for it. Files of the version before stay as long as another window may still need them.

import { PrecacheController } from 'workbox-precaching';
import { TAKE_OVER, TIDY } from './words';

declare const self: ServiceWorkerGlobalScope;
/** The files of the site, as the build found them. */
declare const FILES: { url: string; revision: string | null }[];

const scope = self.registration.scope;
/** Other pages may share the origin, so the name has the folder in it. */
const NAME = `warpscope ${scope}`;

const files = new PrecacheController({ cacheName: NAME });
files.addToCacheList(FILES);

self.addEventListener('install', (event) => void files.install(event));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim().then(() => tidy(event))));

self.addEventListener('message', (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(self.skipWaiting());
  if (event.data === TIDY) event.waitUntil(tidy(event));
});

/**
 * Deletes the files of earlier versions, unless a second window may have been opened with one of them. A newer worker that is coming
 * has put files of its own there.
 */
async function tidy(event: ExtendableEvent) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const { installing, waiting } = self.registration;
  if (windows.length <= 1 && !installing && !waiting) await files.activate(event);
}

self.addEventListener('fetch', (event) => {
  const { url, method } = event.request;
  const own = url.startsWith(scope) && (method === 'GET' || method === 'HEAD');
  event.respondWith(own ? answer(event.request) : Response.error());
});

/** The address of the file that a request means: parameters are the page's own matter. */
function fileOf(address: string): string {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  if (url.pathname.endsWith('/')) url.pathname += 'index.html';
  return url.href;
}

async function answer(request: Request): Promise<Response> {
  const file = (await kept(request).catch(() => undefined)) ?? (await fetch(request));
  return isPage(request) && file.ok ? guarded(file) : file;
}

/** The page itself. Its documentation has links to other sites, and no scripts. */
const isPage = (request: Request) => request.mode === 'navigate' && fileOf(request.url) === `${scope}index.html`;

/** Not every host sends this header: the browser then lets the page connect to its own origin only, whatever the way. */
function guarded({ body, status, headers }: Response): Response {
  const all = new Headers(headers);
  all.set('connection-allowlist', '(response-origin)');
  return new Response(body, { status, headers: all });
}

/** The kept file; nothing where the browser has dropped it or refuses its storage. */
async function kept(request: Request): Promise<Response | undefined> {
  if (request.method !== 'GET') return undefined;
  const address = fileOf(request.url);
  const cache = await caches.open(NAME);
  // A file of an earlier version is kept under its plain address.
  return cache.match(files.getCacheKeyForURL(address) ?? address);
}
