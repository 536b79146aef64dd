// Has the browser keep the files of this page, so that it opens without a network, and notices a newer version of it.

import { signal } from '@preact/signals';
import { engineModule } from '../engine/module';
import { TAKE_OVER, TIDY } from '../offline/words';

/** A newer version is there. The page never changes to it by itself. */
export const newer = signal(false);

/** How often a page that stays open asks for a newer version, in milliseconds. */
const ASK_EVERY_MS = 3_600_000;

let waiting: ServiceWorker | null = null;

/** Changes to the newer version. */
export function changeToNewer() {
  // Another window may have brought it already.
  if (waiting?.state !== 'installed') return location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  waiting.postMessage(TAKE_OVER);
}

function found(worker: ServiceWorker | null) {
  const look = () => {
    if (worker?.state !== 'installed') return;
    waiting = worker;
    newer.value = true;
  };
  worker?.addEventListener('statechange', look);
  look();
}

function askAtTimes(registration: ServiceWorkerRegistration) {
  let asked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || performance.now() - asked < ASK_EVERY_MS) return;
    asked = performance.now();
    registration.update().catch(() => {}); // no network: another time
  });
}

async function keep(workers: ServiceWorkerContainer) {
  const known = (await workers.getRegistration())?.active ?? null;
  // The first worker takes over a page that has none; that is no news.
  if (known) workers.addEventListener('controllerchange', () => (newer.value = true));
  const registration = await workers.register('sw.js');
  askAtTimes(registration);
  if (!known) return;
  known.postMessage(TIDY);
  found(registration.waiting);
  registration.addEventListener('updatefound', () => found(registration.installing));
}

/** Begins once the engine is there, so that nothing that a person waits for comes later. */
export async function keepPage() {
  const { serviceWorker, connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  // A browser that has none, or a page without a secure origin; a person who wants few bytes.
  if (!serviceWorker || connection?.saveData) return;
  try {
    await engineModule();
    await keep(serviceWorker);
  } catch {
    // Storage is forbidden or full, or there is no network. The page works as before.
  }
}
