// A plain static server, as any static host is: no headers beyond the content type.
//
//   node scripts/build/serve.mjs [folder]      serves it on 127.0.0.1, port 8080 or the next free one (or PORT)
//
// The browser tests import `serve` and put the folder under a prefix, as project pages of a host do.
import http from 'node:http';
import path from 'node:path';
import { readFile } from 'node:fs/promises';
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

/** The file of `root` that a request path means, or null when it means none. */
function locate(root, prefix, requested) {
  let at;
  try {
    at = decodeURIComponent(new URL(requested, 'http://localhost').pathname);
  } catch {
    return null;
  }
  if (!at.startsWith(prefix)) return null;
  const rest = at.slice(prefix.length);
  const file = path.resolve(root, rest === '' || rest.endsWith('/') ? `${rest}index.html` : rest);
  return file.startsWith(path.resolve(root) + path.sep) ? file : null;
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
export async function serve(root, { prefix = '/', ports = [0] } = {}) {
  const seen = [];
  const server = http.createServer(async (request, response) => {
    const file = locate(root, prefix, request.url);
    const body = file && (await readFile(file).catch(() => null));
    const status = body ? 200 : 404;
    seen.push(`${status} ${request.url}`);
    const type = body ? (types[path.extname(file)] ?? 'application/octet-stream') : 'text/plain';
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache' });
    response.end(request.method === 'HEAD' ? undefined : (body ?? 'not found'));
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
    const site = await serve(root, { ports });
    console.log(`\nWarpscope is at ${site.url}  (Ctrl-C stops it)`);
  } catch (error) {
    console.error(`serve: ${error.message}`);
    process.exit(1);
  }
}
