// The service of the Learn tab: exercises, their checks and solutions.

import { answer_fingerprint, CourseLab } from '../../../pkg/engine/warpscope';
import type { CourseStep, ExerciseView, GivenAnswer, Look, ExerciseVerdict as Verdict, Words } from '../generated';
import type { OnProgress } from '../protocol';
import { Cancels } from '../cancels';
import { inSteps } from '../steps';
import type { CourseService, Opened } from './protocol';

const FIRST_INSTRUCTIONS = 20_000;
const keyOf = ({ text, seed }: Opened) => `${seed}\n${text}`;

export class Courses implements CourseService {
  readonly #lab = new CourseLab();
  /** What the lab has open. */
  #open = '';
  readonly #cancels = new Cancels();

  /** Begins a job and ends the one before it: both would step the same lab. */
  #next(): () => boolean {
    this.#cancels.cancel();
    return this.#cancels.begin();
  }

  async open(of: Opened, onProgress: OnProgress): Promise<ExerciseView | null> {
    const isCancelled = this.#next();
    return this.#begin(of, onProgress, isCancelled);
  }

  async #begin(of: Opened, onProgress: OnProgress, isCancelled: () => boolean): Promise<ExerciseView | null> {
    this.#open = '';
    this.#lab.open(of.name, of.text, of.seed);
    const view = (await this.#finish(onProgress, isCancelled))?.view ?? null;
    if (view) this.#open = keyOf(of);
    return view;
  }

  async check(of: Opened, given: GivenAnswer, onProgress: OnProgress): Promise<Verdict | null> {
    const isCancelled = this.#next();
    if (!(await this.#ready(of, onProgress, isCancelled))) return null;
    this.#lab.begin_check(given);
    return (await this.#finish(onProgress, isCancelled))?.verdict ?? null;
  }

  async solve(of: Opened, onProgress: OnProgress): Promise<Words | null> {
    const isCancelled = this.#next();
    if (!(await this.#ready(of, onProgress, isCancelled))) return null;
    this.#lab.begin_solution();
    return (await this.#finish(onProgress, isCancelled))?.solution ?? null;
  }

  /** Opens the exercise unless it is the one that is open. */
  async #ready(of: Opened, onProgress: OnProgress, isCancelled: () => boolean): Promise<boolean> {
    return this.#open === keyOf(of) || (await this.#begin(of, onProgress, isCancelled)) !== null;
  }

  async #finish(onProgress: OnProgress, isCancelled: () => boolean): Promise<CourseStep | null> {
    const step = (budget: number) => {
      const now = this.#lab.step(budget);
      return { done: now.done, total: now.total, value: now.finished ? now : null };
    };
    return (await inSteps(FIRST_INSTRUCTIONS, step, onProgress, isCancelled))?.value ?? null;
  }

  figure(look: Look): string {
    return this.#lab.figure(look);
  }

  fingerprint(name: string, digest: string): string {
    return answer_fingerprint(name, digest);
  }

  cancel() {
    this.#cancels.cancel();
  }
}
