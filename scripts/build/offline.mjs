// dist/ -> what makes the page installable and lets it open without a network: icons, the web manifest and the service worker, which
// knows each file of the site by the hash of its content.
//
//   node scripts/build/offline.mjs [folder]
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { icon } from './icons.mjs';

const WORKER = 'sw.js';
/** A file whose name has the hash of its content never changes. */
export const HASHED = /\.[0-9a-f]{8}\.[a-z0-9]+$/;
/** Copies of other files, and the worker itself. */
const LEFT_OUT = /\.(br|gz)$|^sw\.js$/;

const ICONS = [
  { name: 'icon-192.png', side: 192, whole: false },
  { name: 'icon-512.png', side: 512, whole: false },
  { name: 'icon-whole-512.png', side: 512, whole: true },
];

const MANIFEST = {
  id: './',
  name: 'Warpscope: why GPU memory accesses miss',
  short_name: 'Warpscope',
  description: 'See what a GPU kernel’s memory accesses cost, and why they miss. Nothing leaves your browser.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#0b5cad',
  icons: ICONS.map(({ name, side, whole }) => ({
    src: name,
    sizes: `${side}x${side}`,
    type: 'image/png',
    purpose: whole ? 'maskable' : 'any',
  })),
};

/** The files of the site in the order of their names, each with what tells its versions apart. */
export function filesOf(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => !LEFT_OUT.test(name));
  return names.sort().map((url) => {
    const hash = () =>
      createHash('sha256')
        .update(readFileSync(path.join(folder, url)))
        .digest('hex')
        .slice(0, 16);
    return { url, revision: HASHED.test(url) ? null : hash() };
  });
}

/** Writes the service worker of a folder. */
export async function writeWorker(folder) {
  await build({
    entryPoints: [fileURLToPath(new URL('../../www/offline/worker.ts', import.meta.url))],
    outfile: path.join(folder, WORKER),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
    // workbox says more in development.
    define: { FILES: JSON.stringify(filesOf(folder)), 'process.env.NODE_ENV': '"production"' },
  });
}

/** Writes all that the folder needs to be installed. */
export async function writeOffline(folder) {
  for (const { name, side, whole } of ICONS) writeFileSync(path.join(folder, name), icon(side, whole));
  writeFileSync(path.join(folder, 'manifest.webmanifest'), `${JSON.stringify(MANIFEST, null, 1)}\n`);
  await writeWorker(folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeOffline(process.argv[2] ?? 'dist');
