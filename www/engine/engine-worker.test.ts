import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as Comlink from 'comlink';
import { EngineWorker } from './engine-worker';
import { EngineLost } from './lost';
import type { Scenario, SweepRow } from './types';

const never = () => new Promise<never>(() => {});
/** The first worker is deaf; those after it answer. */
const DEAF = { cancel: never, sweepPoint: never, link: never };
const WELL = { cancel: () => {}, sweepPoint: () => ({}), link: () => '#link' };
let started = 0;
const ends: (() => void)[] = [];

class FakeWorker {
  constructor() {
    const { port1, port2 } = new MessageChannel();
    Comlink.expose(started++ === 0 ? DEAF : WELL, port2);
    const post = port1.postMessage.bind(port1);
    const terminate = () => port1.close();
    // The compiled engine cannot be sent through a port; nobody here needs it.
    const postMessage = (data: unknown, given: Transferable[] = []) =>
      typeof data === 'object' && data !== null && 'module' in data ? undefined : post(data, given);
    ends.push(terminate);
    return Object.assign(port1, { postMessage, terminate });
  }
}

const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
Object.assign(globalThis, { Worker: FakeWorker, fetch: () => Promise.resolve(new Response(EMPTY_MODULE)) });
after(() => ends.forEach((end) => end()));

test('a cancel that is not heard ends the worker: the job gives nothing, and a stateless call is answered by the next one', async () => {
  const engine = new EngineWorker('scenario');
  const scenario = {} as Scenario;
  const job = engine.job<SweepRow | null>((r) => r.sweepPoint(0));
  const link = engine.stateless((r) => r.link(scenario));
  const held = engine.call((r) => r.link(scenario));
  held.catch(() => {}); // looked at below
  await new Promise((wait) => setTimeout(wait, 50)); // the calls are on their way
  await engine.cancel();
  assert.equal(await job, null);
  assert.equal(await link, '#link');
  await assert.rejects(held, (error) => error instanceof EngineLost && error.wanted);
  assert.deepEqual([started, engine.generation], [2, 1]);
});
