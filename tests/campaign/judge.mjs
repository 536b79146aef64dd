// What an ended run must look like, whatever it was given.

const BROKEN = [
  [/panicked at|RUST_BACKTRACE/, 'panic'],
  [/overflowed its stack/, 'stack overflow'],
  [/memory allocation of/, 'out of memory'],
];

/**
 * What is wrong with a run, in a few words, or null. `files` are the names that a message can be about.
 * A run that ends well prints a result, or writes a file of `written` bytes. One that ends with status 1 says in one line per flaw what was expected and found, and of
 * which input. Status 2 is clap's: the command line itself was wrong.
 */
export function judge({ status, signal, timedOut, stdout, stderr, json, writes, written }, files) {
  if (timedOut) return 'hang';
  for (const [pattern, name] of BROKEN) if (pattern.test(stderr)) return name;
  if (signal) return `signal ${signal}`;
  if (status === 0) {
    if (writes ? written === 0 : stdout.trim() === '') return 'empty answer';
    return json && !isJson(stdout) ? 'answer is no JSON' : null;
  }
  if (status === 2) return /error:/.test(stderr) ? null : 'status 2 without a message';
  if (status !== 1) return `status ${status}`;
  const flaws = stderr.split('\n').filter((line) => /: (error|warning): expected /.test(line));
  if (flaws.length === 0) return 'status 1 without a message';
  if (flaws.some((line) => !/expected .+, found ./.test(line))) return 'message without what was found';
  const remediless = flaws.filter((line) => line.includes(': error: ') && !/; \S/.test(line));
  if (remediless.length > 0) return `message without a remedy: ${remediless[0].slice(0, 200)}`;
  const nowhere = flaws.filter((line) => !placed(line, files));
  return nowhere.length > 0 ? `message without a place: ${nowhere[0].slice(0, 200)}` : null;
}

/** What a message can be about besides a file or an option: a part of what was asked for, or the command that was asked. */
const PARTS = [
  ...[
    'gpu',
    'model',
    'state',
    'classes',
    'parameters',
    'settings',
    'vary',
    'kernel',
    // The kernel of the campaign's own text.
    'scale',
    'kernels',
    'placement',
    'training',
  ],
  ...['link', 'example', 'files', 'input', 'names', 'result', 'filter', 'bit', 'experiment'],
  ...['why', 'sweep', 'check', 'lock', 'compare', 'merge'],
];

/** The text before `: error:` names a file, an option or such a part. */
function placed(line, files) {
  const [place] = line.split(/: (?:error|warning): /);
  return place.startsWith('--') || PARTS.includes(place) || files.some((name) => name && place.includes(name));
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
