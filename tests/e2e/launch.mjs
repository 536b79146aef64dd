// dist/ under a sub-path, and a headless Chromium: for the browser tests and for the scripts that measure the page.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/build/serve.mjs';
import { launchFirefox } from '../firefox/launch.mjs';

export const dist = fileURLToPath(new URL('../../dist', import.meta.url));

const shell = '/usr/bin/chromium-headless-shell';
/** Chromium without windows where it is there, the whole browser otherwise. */
export const executablePath = process.env.CHROMIUM ?? (existsSync(shell) ? shell : '/usr/bin/chromium');

/** For tests, which compute little: V8 optimises wasm later, since that takes longer than it saves. */
export const OPTIMISE_LATE = '--js-flags=--wasm-tiering-budget=200000000';

/** Where `BROWSER=firefox`, tests and campaign run in Firefox in place of Chromium. */
export const inFirefox = process.env.BROWSER === 'firefox';

/** The headless browser of this machine. No sandbox in Chromium: CI runs as root in a container. */
export const launch = (more = []) => (inFirefox ? launchFirefox() : launchChromium(more));

const launchChromium = (more) =>
  chromium.launch({
    executablePath,
    headless: true,
    timeout: 60_000,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });

export const serveDist = (more = {}) => serve(dist, { prefix: '/repo/', ...more });
