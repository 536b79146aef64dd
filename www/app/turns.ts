// One thing at a time: the newest wish wins, the one before it is cancelled.

export class Turns {
  #newest = 0;
  #last: Promise<void> = Promise.resolve();

  /** `stop` asks the running job to end. */
  constructor(private readonly stop: () => Promise<void>) {}

  /** Runs `job` when the one before it has ended; not at all when a newer one came meanwhile. */
  take(job: () => Promise<void>): Promise<void> {
    const ticket = ++this.#newest;
    const before = this.#last;
    const turn = (async () => {
      await this.stop();
      await before;
      if (ticket === this.#newest) await job();
    })();
    this.#last = turn.catch(() => {}); // the caller hears of it; the next turn need not
    return turn;
  }

  /** Runs `job` when nothing else is under way, so that it cancels nobody's wish. */
  async takeWhenIdle(job: () => Promise<void>): Promise<void> {
    let seen;
    do {
      seen = this.#last;
      await seen;
    } while (seen !== this.#last);
    return this.take(job);
  }
}
