// The services that a worker of the engine can be, by the name that the page starts it with.

import type { CourseService } from './course/protocol';
import type { HashService } from './hash-service';
import type { PapersService } from './papers/protocol';
import type { PlaceService } from './placement/protocol';
import type { ReuseService, PartService } from './reuse/protocol';
import type { ScenarioService } from './protocol';
import type { MachineService } from './topology/machine';
import type { TopologyService } from './topology/protocol';

export interface Services {
  /** Owns the scenario: files, CUDA text, runs, links. */
  scenario: ScenarioService;
  /** Holds the Reuse tab's input. */
  reuse: ReuseService;
  /** Analyses one part of a stream. */
  part: PartService;
  topology: TopologyService;
  /** Measures this machine. */
  machine: MachineService;
  placement: PlaceService;
  /** Exercises. */
  course: CourseService;
  /** Runs rows of the self-check. */
  papers: PapersService;
  hash: HashService;
}

export type ServiceName = keyof Services;

/** A message that a worker sends back, between two steps of its work. */
export const ALIVE = 'alive';

/** The first message to a worker. */
export interface Boot {
  module: WebAssembly.Module;
  service: ServiceName;
}
