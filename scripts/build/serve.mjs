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
  'connection-allowlist': '(response-origin)',
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

/** Codings of an answer, best first, with the endings that scripts/build/pack.mjs gives them. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** Whether a request takes a coding (RFC 9110, section 12.5.3): what it names counts more than `*`, and a weight of 0 refuses. */
function takes(accepted, coding) {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='));
      return [name, weight ? Number(weight.slice(2)) : 1];
    }),
  );
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}

/** The bytes of a file of the site as a request takes them best, and their coding. */
async function bytesFor(root, prefix, { headers, url }, file) {
  const accepted = headers['accept-encoding'] ?? '';
  const plain = url.replace(/[?#].*/s, '');
  for (const [coding, ending] of CODINGS) {
    if (!takes(accepted, coding)) continue;
    const copy = await locate(root, prefix, `${plain.endsWith('/') ? `${plain}index.html` : plain}${ending}`);
    const body = copy && (await readFile(copy).catch(() => null));
    if (body) return { body, coding };
  }
  return { body: await readFile(file).catch(() => null), coding: null };
}

/** Status, body and headers of the answer to a request. */
async function answer(root, prefix, request) {
  const { method, headers, url } = request;
  const text = (status, body, more = {}) => ({ status, body, own: { 'content-type': types['.txt'], ...more } });
  if (!OWN_HOST.test(headers.host ?? '')) return text(421, 'this server answers to 127.0.0.1 and localhost only');
  if (method !== 'GET' && method !== 'HEAD')
    return text(405, 'this server knows GET and HEAD only', { allow: 'GET, HEAD' });
  const file = await locate(root, prefix, url);
  const { body, coding } = file ? await bytesFor(root, prefix, request, file) : { body: null };
  if (!body) return text(404, 'not found');
  const type = types[path.extname(file)] ?? 'application/octet-stream';
  const own = { 'content-type': type, 'cache-control': 'no-cache', vary: 'accept-encoding' };
  return { status: 200, body, own: coding ? { ...own, 'content-encoding': coding } : own };
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
    const { status, body, own } = await answer(root, prefix, request);
    seen.push(`${status} ${request.url}`);
    response.writeHead(status, { ...headers, ...own });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  const close = () => server.close();
  // As when the network is cut: open connections end as well.
  const cut = () => (close(), server.closeAllConnections());
  for (const port of ports) {
    try {
      const got = await listen(server, port);
      return { url: `http://127.0.0.1:${got}${prefix}`, seen, close, cut };
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
