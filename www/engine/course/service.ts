// The service of the Learn tab: exercises, their checks and solutions.

import { answer_fingerprint, CourseLab } from '../../../pkg/engine/warpscope';
import type { CourseStep, ExerciseView, GivenAnswer, Look, ExerciseVerdict as Verdict, Words } from '../generated';
import type { OnProgress } from '../protocol';
import { inSteps } from '../steps';
import type { CourseService, Opened } from './protocol';

const FIRST_INSTRUCTIONS = 20_000;
const keyOf = ({ text, seed }: Opened) => `${seed}\n${text}`;

export class Courses implements CourseService {
  readonly #lab = new CourseLab();
  /** What the lab has open. */
  #open = '';
  #cancelled = false;
  readonly #isCancelled = () => this.#cancelled;

  async open(of: Opened, onProgress: OnProgress): Promise<ExerciseView | null> {
    this.#cancelled = false;
    return this.#begin(of, onProgress);
  }

  async #begin(of: Opened, onProgress: OnProgress): Promise<ExerciseView | null> {
    this.#open = '';
    this.#lab.open(of.name, of.text, of.seed);
    const view = (await this.#finish(onProgress))?.view ?? null;
    if (view) this.#open = keyOf(of);
    return view;
  }

  async check(of: Opened, given: GivenAnswer, onProgress: OnProgress): Promise<Verdict | null> {
    if (!(await this.#ready(of, onProgress))) return null;
    this.#lab.begin_check(given);
    return (await this.#finish(onProgress))?.verdict ?? null;
  }

  async solve(of: Opened, onProgress: OnProgress): Promise<Words | null> {
    if (!(await this.#ready(of, onProgress))) return null;
    this.#lab.begin_solution();
    return (await this.#finish(onProgress))?.solution ?? null;
  }

  /** Opens the exercise unless it is the one that is open. */
  async #ready(of: Opened, onProgress: OnProgress): Promise<boolean> {
    this.#cancelled = false;
    return this.#open === keyOf(of) || (await this.#begin(of, onProgress)) !== null;
  }

  async #finish(onProgress: OnProgress): Promise<CourseStep | null> {
    const step = (budget: number) => {
      const now = this.#lab.step(budget);
      return { done: now.done, total: now.total, value: now.finished ? now : null };
    };
    return (await inSteps(FIRST_INSTRUCTIONS, step, onProgress, this.#isCancelled))?.value ?? null;
  }

  figure(look: Look): string {
    return this.#lab.figure(look);
  }

  fingerprint(name: string, digest: string): string {
    return answer_fingerprint(name, digest);
  }

  cancel() {
    this.#cancelled = true;
  }
}
