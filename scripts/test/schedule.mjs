// Runs jobs that wait for each other, a few at a time.

/**
 * Starts the first of `jobs` whose `after` are done as long as fewer than `slots` run. A name in `after` that no job has is passed
 * over, so that a part of the jobs can run alone.
 *
 * `perform(job)` gives a promise of whether the job went well. After one that did not, no other job begins. Gives the jobs that ran,
 * in the order of their ends.
 */
export async function schedule(jobs, slots, perform) {
  const names = new Set(jobs.map((job) => job.name));
  const waiting = [...jobs];
  const running = new Map();
  const ended = [];
  const done = new Set();
  let broken = false;
  for (;;) {
    const ready = (job) => (job.after ?? []).every((name) => done.has(name) || !names.has(name));
    while (!broken && running.size < slots && waiting.some(ready)) {
      const [job] = waiting.splice(waiting.findIndex(ready), 1);
      running.set(
        job,
        perform(job).then((well) => ({ job, well })),
      );
    }
    if (running.size === 0) break;
    const { job, well } = await Promise.race(running.values());
    running.delete(job);
    ended.push(job);
    if (well) done.add(job.name);
    else broken = true;
  }
  if (!broken && waiting.length > 0) throw new Error(`these wait for each other: ${waiting.map((job) => job.name)}`);
  return ended;
}
