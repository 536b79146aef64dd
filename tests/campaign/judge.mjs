// What an ended run must look like, whatever it was given.

const BROKEN = [
  [/panicked at|RUST_BACKTRACE/, 'panic'],
  [/overflowed its stack/, 'stack overflow'],
  [/memory allocation of/, 'out of memory'],
];

/**
 * What is wrong with a run, in a few words, or null. `files` are the names that a message can be about.
 * A run that ends well prints a result. One that ends with status 1 says in one line per flaw what was expected and found, and of
 * which input. Status 2 is clap's: the command line itself was wrong.
 */
export function judge({ status, signal, timedOut, stdout, stderr, json, writes }, files) {
  if (timedOut) return 'hang';
  for (const [pattern, name] of BROKEN) if (pattern.test(stderr)) return name;
  if (signal) return `signal ${signal}`;
  if (status === 0) {
    if (stdout.trim() === '' && !writes) return 'empty answer';
    return json && !isJson(stdout) ? 'answer is no JSON' : null;
  }
  if (status === 2) return /error:/.test(stderr) ? null : 'status 2 without a message';
  if (status !== 1) return `status ${status}`;
  const flaws = stderr.split('\n').filter((line) => /: (error|warning): expected /.test(line));
  if (flaws.length === 0) return 'status 1 without a message';
  if (flaws.some((line) => !/expected .+, found ./.test(line))) return 'message without what was found';
  const errors = flaws.filter((line) => line.includes(': error: '));
  if (errors.length > 0 && !errors.some((line) => /; \S/.test(line))) return 'message without a remedy';
  const placed = flaws.some(
    (line) => files.some((name) => line.includes(name)) || line.startsWith('--') || /^\S/.test(line),
  );
  return placed ? null : 'message without a place';
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
