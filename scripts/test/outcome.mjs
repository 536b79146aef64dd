// What test runners report: cargo's libtest and node's `spec` reporter, read line by line from their two streams.

import { stripVTControlCharacters } from 'node:util';

/**
 * Counts of passed, failed and skipped tests, and what was skipped with its reason.
 *
 * A Rust test that cannot run without its data writes `SKIPPED name: reason` to the stream of errors and returns
 * (`crates/testkit`). libtest then counts it as passed, so each such line is taken off the passed tests.
 */
export class Outcome {
  passed = 0;
  failed = 0;
  skipped = 0;
  /** `name: reason` of skipped tests. */
  reasons = [];
  #unfinished = { stdout: '', stderr: '' };

  /** Takes a piece of a stream, which may end inside a line. */
  take(text, stream = 'stdout') {
    const lines = (this.#unfinished[stream] + text).split('\n');
    this.#unfinished[stream] = lines.pop();
    for (const line of lines) this.#line(stripVTControlCharacters(line).trimEnd());
  }

  /** Takes what stands after the last line break of either stream. */
  end() {
    for (const stream of Object.keys(this.#unfinished)) this.take('\n', stream);
  }

  #line(line) {
    const cargo = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line);
    if (cargo) {
      this.passed += Number(cargo[1]);
      this.failed += Number(cargo[2]);
      this.skipped += Number(cargo[3]);
    }
    const told = /^SKIPPED (\S+: .*)$/.exec(line);
    if (told) {
      this.passed -= 1;
      this.skipped += 1;
      this.reasons.push(told[1]);
    }
    const ignored = /^test (\S+) \.\.\. ignored(?:, (.*))?$/.exec(line);
    if (ignored) this.reasons.push(`${ignored[1]}: ${ignored[2] ?? 'ignored'}`);

    const node = /^(?:ℹ|#) (pass|fail|cancelled|skipped) (\d+)$/.exec(line);
    if (node) {
      const counter = { pass: 'passed', fail: 'failed', cancelled: 'failed', skipped: 'skipped' }[node[1]];
      this[counter] += Number(node[2]);
    }
    // `SKIP` is what node puts where a test gives no reason.
    const passedOver = /^\s*﹣ (.*) \([\d.]+ms\) # (.*)$/.exec(line);
    if (passedOver) this.reasons.push(`${passedOver[1]}: ${passedOver[2]}`);
  }
}
