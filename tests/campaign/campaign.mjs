// Runs one command many times on damaged files and strange options, and judges each run.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMMANDS } from './commands.mjs';
import { judge } from './judge.mjs';
import { damage, ENDINGS, strangeValue } from './mutate.mjs';
import { random, seedOf } from './random.mjs';

/** A run may take this long, and this much address space. */
export const HANG_MS = 20_000;
const MEMORY_KB = 4 * 1024 * 1024;
/** Characters of a word; the system takes some 128 KiB. */
const LONGEST_WORD = 20_000;
/** Bytes of output that are kept. */
const KEPT = 1 << 22;

/** Files, options and the rest of the command line of case `index`. The files are written into `into`. */
export function makeCase(name, index, seed, { files, into }) {
  const command = COMMANDS[name];
  const r = random(seedOf(seed, name, index));
  mkdirSync(into, { recursive: true });
  const args = [...(command.command ?? name.split(' '))];
  const said = [];
  const folder = command.inFolder ? path.join(into, 'given') : into;
  mkdirSync(folder, { recursive: true });
  const put = (file, bytes, damaged) => {
    let named = file;
    if (damaged && r.below(8) === 0) named = path.basename(file, path.extname(file)) + r.one(ENDINGS);
    const at = path.join(folder, named || 'noname');
    writeFileSync(at, bytes);
    if (!command.inFolder) args.push(at);
    said.push(path.basename(at));
  };
  if (command.files.length > 0) {
    const file = r.one(command.files);
    const other = files.get(r.one([...files.keys()]));
    // Some cases leave the file whole, so that options reach a run.
    const whole = r.below(4) === 0;
    const { bytes } = whole ? { bytes: files.get(file) } : damage(files.get(file), r, other);
    put(file, bytes, !whole);
    if (command.second) put(command.second[file], files.get(command.second[file]), false);
    if (command.inFolder) {
      args.push(...(command.folderOption ? [`${command.folderOption}=${folder}`] : [folder]));
      said.push(path.basename(folder));
    }
  }
  if (command.words) {
    const word = wordOf(command, r);
    args.push(word);
    said.push(...filesOf(word));
  }
  for (const [option, values] of command.options) {
    if (r.below(4) !== 0) continue;
    const value = r.one(values);
    args.push(`${option}=${r.below(3) === 0 ? strangeValue(value, r) : value}`);
  }
  for (const flag of command.flags ?? []) if (r.below(2) === 0) args.push(flag);
  const more = command.also?.(path.join(into, 'out'), r) ?? [];
  args.push(...more);
  const output = more[more.indexOf('--output') + 1];
  return { args, said, writes: Boolean(command.writes), output, json: args.includes('--format=json') };
}

/** The files that a link asks for, and the text of the library that it names: messages are about these. */
function filesOf(link) {
  const fields = new URLSearchParams(link.slice(link.indexOf('#') + 1));
  const files = ['file', 'topology'].flatMap((key) => fields.getAll(key)).map((value) => value.split(':')[0]);
  return [...files, ...fields.getAll('example').map((id) => `${id}.cu`)];
}

/** A word of the command, sometimes strange, or damaged as a file would be. An argument can hold no NUL. */
function wordOf({ words }, r) {
  const word = r.one(words);
  const kind = r.below(3);
  if (kind === 0) return word;
  if (kind === 1) return strangeValue(word, r);
  const { bytes } = damage(Buffer.from(word), r, Buffer.from(r.one(words)));
  return bytes.toString('latin1').replaceAll('\0', '').slice(0, LONGEST_WORD);
}

/** Bytes of the smallest file of an output: several kernels give numbered files. */
function writtenTo(output) {
  const [folder, { name, ext }] = [path.dirname(output), path.parse(output)];
  const files = readdirSync(folder).filter((file) => file.startsWith(name) && file.endsWith(ext));
  return files.length === 0 ? 0 : Math.min(...files.map((file) => statSync(path.join(folder, file)).size));
}

/** Runs the program with bounds on time and address space. */
function execute(program, args) {
  return new Promise((done) => {
    // `ulimit` is a builtin of the shell; `exec` leaves one process to end.
    const child = spawn('bash', ['-c', `ulimit -v ${MEMORY_KB}; exec "$0" "$@"`, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out = { stdout: '', stderr: '', timedOut: false };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => {
        if (out[stream].length < KEPT) out[stream] += text;
      });
    const timer = setTimeout(() => {
      out.timedOut = true;
      child.kill('SIGKILL');
    }, HANG_MS);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      done({ ...out, status, signal });
    });
  });
}

/** What a case without files is, apart from its number: an equal command line gives an equal run. Null where chance takes part. */
const lineOf = (name, { args, writes }) =>
  COMMANDS[name].files.length > 0 || writes || args.some((word) => word.includes('random')) ? null : args.join('\0');

/**
 * Cases `from` to `from + count` − 1 of one command on two processes at a time. Gives how they ended, how many runs that took, and the
 * flaws found, each with the number that makes its case again.
 */
export async function campaign(program, name, { count, from = 0, seed, files, folder, onProgress = () => {} }) {
  const ended = { 0: 0, 1: 0, 2: 0 };
  const flaws = [];
  const known = new Map();
  let [next, runs] = [from, 0];
  const ranOnce = async (made) => {
    runs += 1;
    const result = await execute(program, made.args);
    const written = made.writes ? writtenTo(made.output) : 0;
    return { result, flaw: judge({ ...result, ...made, written }, made.said) };
  };
  const worker = async (id) => {
    const into = path.join(folder, `case-${name.replaceAll(' ', '-')}-${id}`);
    while (next < from + count) {
      const index = next++;
      rmSync(into, { recursive: true, force: true });
      const made = makeCase(name, index, seed, { files, into });
      const line = lineOf(name, made);
      const { result, flaw } = known.get(line) ?? (await ranOnce(made));
      // Its output is judged and would fill the memory.
      if (line !== null) known.set(line, { result: { status: result.status, stderr: result.stderr }, flaw });
      ended[result.status] = (ended[result.status] ?? 0) + 1;
      if (flaw) flaws.push({ command: name, index, seed, flaw, args: made.args, stderr: result.stderr.slice(0, 500) });
      onProgress(index - from + 1);
    }
    rmSync(into, { recursive: true, force: true });
  };
  await Promise.all([worker(0), worker(1)]);
  return { command: name, count, runs, ended, flaws };
}
