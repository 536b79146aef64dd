// Types into the editor of dist/ at several speeds while runs finish underneath, and compares the text character by character.
//
//   npm run measure:typing -- [--length 2000] [--delays 0,20,40,60,100,150] [--rates 1,4] [--every 100] [--beside 3]
//
// `--delays` are ms a key, `--rates` how many times slower the processor is made, `--every` after how many characters the
// text is run, `--beside` how many pages are typed into at a time. All of it takes about 10 minutes. The exit code is 1 if
// a text differs, or if no run finished before its last key.
import { parseArgs } from 'node:util';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { typeWhileRunning } from '../../tests/e2e/typing.mjs';

const { values: options } = parseArgs({
  options: {
    length: { type: 'string', default: '2000' },
    delays: { type: 'string', default: '0,20,40,60,100,150' },
    rates: { type: 'string', default: '1,4' },
    every: { type: 'string', default: '100' },
    beside: { type: 'string', default: '3' },
  },
});
const numbers = (text) => text.split(',').map(Number);
const [length, every] = [Number(options.length), Number(options.every)];
// The longest first, so that the last one is not waited for alone.
const waiting = numbers(options.delays)
  .flatMap((delay) => numbers(options.rates).map((rate) => ({ delay, rate })))
  .sort((a, b) => b.delay - a.delay);

/** Where two texts begin to differ, with what stands there; empty where they are equal. */
function difference(expected, text) {
  if (expected === text) return '';
  let at = 0;
  while (expected[at] === text[at]) at += 1;
  const part = (of) => JSON.stringify(of.slice(at, at + 30));
  return `${text.length} of ${expected.length} characters; from character ${at} on ${part(text)} instead of ${part(expected)}`;
}

const site = await serveDist();
const browser = await launch();
const failures = [];

async function typeNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(`${site.url}#v=1&view.tab=kernel`);
    const { expected, text, finished } = await typeWhileRunning(page, { ...next, length, every });
    const wrong = difference(expected, text) || (finished === 0 ? 'no run finished underneath' : '');
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const what = `${String(next.delay).padStart(4)} ms a key, ×${next.rate}`;
    console.log(
      `${what}: ${wrong || `${length} characters as typed`} (${finished} runs finished underneath, ${seconds} s)`,
    );
    if (wrong) failures.push(what);
    await context.close();
  }
}

try {
  await Promise.all(Array.from({ length: Number(options.beside) }, typeNext));
} finally {
  await browser.close();
  site.close();
}
console.log(failures.length === 0 ? 'No text differs.' : `Wrong: ${failures.join('; ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;
