// The script of every worker: it takes the compiled engine and becomes the service that the page asks for.

import * as Comlink from 'comlink';
import { initSync } from '../../pkg/engine/warpscope';
import { Courses } from './course/service';
import { Hash } from './hash-service';
import { Papers } from './papers/service';
import { Place } from './placement/service';
import { Part } from './reuse/part-service';
import { Reuse } from './reuse/service';
import { Scenarios } from './scenario/service';
import { ALIVE, type Boot, type Services } from './services';
import { MachineChase } from './topology/machine-service';
import { Topologies } from './topology/service';

const services: { [Name in keyof Services]: new (memory: WebAssembly.Memory) => Services[Name] } = {
  scenario: Scenarios,
  reuse: Reuse,
  part: Part,
  topology: Topologies,
  machine: MachineChase,
  placement: Place,
  course: Courses,
  papers: Papers,
  hash: Hash,
};

addEventListener(
  'message',
  ({ data: { module, service } }: MessageEvent<Boot>) => {
    const { memory } = initSync({ module });
    Comlink.expose(new services[service](memory));
  },
  { once: true },
);
addEventListener('message', ({ data }) => data === ALIVE && postMessage(ALIVE));
