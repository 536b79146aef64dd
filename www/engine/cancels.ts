// Which jobs of a worker are cancelled. Pure.

/**
 * A cancel ends the jobs that have begun, and they stay ended. The page may begin the next job before a slow one has noticed its end, and the two
 * share what the worker holds.
 */
export class Cancels {
  #begun = { ended: false };

  /** Begins a job. What it gives says whether the job was cancelled; a job asks after every wait. */
  begin(): () => boolean {
    const mine = this.#begun;
    return () => mine.ended;
  }

  cancel() {
    this.#begun.ended = true;
    this.#begun = { ended: false };
  }
}
