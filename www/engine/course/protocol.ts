// What the Learn tab asks its worker for. The worker can be replaced between two calls, so each names its exercise.

import type { OnProgress } from '../protocol';
import type { ExerciseView, GivenAnswer, Look, ExerciseVerdict as Verdict, Words } from '../generated';

/** An exercise file and the seed of its parameters. */
export interface Opened {
  /** The file's name, for messages. */
  name: string;
  text: string;
  seed: number;
}

export interface CourseService {
  open(of: Opened, onProgress: OnProgress): Promise<ExerciseView | null>;
  check(of: Opened, given: GivenAnswer, onProgress: OnProgress): Promise<Verdict | null>;
  solve(of: Opened, onProgress: OnProgress): Promise<Words | null>;
  /** The figure of the solution, once that was computed. */
  figure(look: Look): string;
  fingerprint(name: string, digest: string): string;
  cancel(): void;
}
