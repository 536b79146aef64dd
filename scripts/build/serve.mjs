// A static server for this machine alone.
//
//   node scripts/build/serve.mjs [folder]      serves it on 127.0.0.1, port 8080 or the next free one (or PORT)
//
// The browser tests import `serve` and put the folder under a prefix, as project pages of a host do. They get no headers beyond the
// content type: the page must work on hosts that send no others.
import http from 'node:http';
import path from 'node:path';
import { readFile, realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** What a host of the page should send with every answer. docs/hosting.md says why. */
export const HEADERS = {
  'content-security-policy': "frame-ancestors 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The names of this machine. A page elsewhere whose name resolves to 127.0.0.1 sends another one. */
const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d+)?$/i;

/** The file of `root` that a request path means, or null when it means none. A link that leads out of `root` means none. */
async function locate(root, prefix, requested) {
  let at;
  try {
    at = decodeURIComponent(requested.replace(/[?#].*/s, ''));
  } catch {
    return null;
  }
  if (!at.startsWith(prefix)) return null;
  const rest = at.slice(prefix.length);
  const file = path.resolve(root, rest === '' || rest.endsWith('/') ? `${rest}index.html` : rest);
  try {
    // Both without links: `root` itself may be one.
    const inside = (await realpath(root)) + path.sep;
    return (await realpath(file)).startsWith(inside) ? file : null;
  } catch {
    return null;
  }
}

/** Status, body and type of the answer to a request. */
async function answer(root, prefix, { method, headers, url }) {
  const text = (status, body) => ({ status, body, type: types['.txt'] });
  if (!OWN_HOST.test(headers.host ?? '')) return text(421, 'this server answers to 127.0.0.1 and localhost only');
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'this server knows GET and HEAD only');
  const file = await locate(root, prefix, url);
  const body = file && (await readFile(file).catch(() => null));
  if (!body) return text(404, 'not found');
  return { status: 200, body, type: types[path.extname(file)] ?? 'application/octet-stream' };
}

const listen = (server, port) =>
  new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail);
      done(server.address().port);
    });
  });

/** Serves `root` under `prefix` at the first free one of `ports`. `seen` lists what was asked: `200 /repo/`. */
export async function serve(root, { prefix = '/', ports = [0], headers = {} } = {}) {
  const seen = [];
  const server = http.createServer(async (request, response) => {
    const { status, body, type } = await answer(root, prefix, request);
    seen.push(`${status} ${request.url}`);
    const allow = status === 405 ? { allow: 'GET, HEAD' } : {};
    response.writeHead(status, { ...headers, ...allow, 'content-type': type, 'cache-control': 'no-cache' });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  for (const port of ports) {
    try {
      const got = await listen(server, port);
      return { url: `http://127.0.0.1:${got}${prefix}`, seen, close: () => server.close() };
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`no free port from ${ports[0]} to ${ports.at(-1)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = process.argv[2] ?? 'dist';
  const ports = process.env.PORT ? [Number(process.env.PORT)] : Array.from({ length: 100 }, (_, i) => 8080 + i);
  try {
    const site = await serve(root, { ports, headers: HEADERS });
    console.log(`\nWarpscope is at ${site.url}  (Ctrl-C stops it)`);
  } catch (error) {
    console.error(`serve: ${error.message}`);
    process.exit(1);
  }
}
