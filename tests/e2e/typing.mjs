// Typing into the editor of the Kernel tab while runs finish underneath: for the browser tests and for scripts/measure/typing.mjs.

/** A kernel with a short run, so that many of them finish under the typing. Its empty lines keep what is typed there apart. */
export const TWICE = `// launch: twice<<<8, 256>>>(x: float[n] = iota, n = 2048)


__global__ void twice(float *x, int n)
{
    for (int i = 0; i < 4; i++) x[blockIdx.x * 256 + threadIdx.x] *= 2;
}
`;

/** Comment lines of mixed characters, `length` in all. Equal lengths give equal texts. */
export function comments(length) {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789 ()[]{};,.+-*';
  let text = '';
  for (let i = 0; text.length < length; i += 1) {
    const words = Array.from({ length: 32 }, (_, j) => letters[(7 * i * i + 11 * j + 3 * i * j) % letters.length]);
    text += `// ${i} ${words.join('')}|\n`;
  }
  return text.slice(0, length);
}

/** The text that the editor holds. */
export const textOf = (page) =>
  page.locator('.cm-content').evaluate((content) => content.cmTile.view.state.doc.toString());

/** Pastes over the whole text. */
export async function write(page, text) {
  const content = page.locator('.cm-content');
  await content.click();
  await page.keyboard.press('Control+a');
  await content.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    // Firefox knows no `clipboardData` here, and takes the text from names of its own.
    const named = { data: pasted, dataType: 'text/plain' };
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, ...named, bubbles: true, cancelable: true }));
  }, text);
}

/** Characters between a run and the next one, which comes before the first has ended. */
const AGAIN = 4;

/** Counts the addresses that the page shows from now on: there is one after each finished run of another text. */
const countRuns = (page) =>
  page.evaluate(() => {
    globalThis.runsFinished = 0;
    for (const how of ['pushState', 'replaceState']) {
      const change = history[how];
      history[how] = function (...args) {
        if (/result=/.test(args[2])) globalThis.runsFinished += 1;
        return change.apply(this, args);
      };
    }
  });

/**
 * Types at least `length` characters below the launch comment of a kernel, `delay` ms a key, on a processor slowed `rate` times, and runs
 * the text after every `every` characters, each time twice. Gives the text that must be there, the text that is there, and how many runs
 * finished before the last key.
 */
export async function typeWhileRunning(page, { length, delay, rate, every }) {
  await page.locator('.cm-content').waitFor();
  await write(page, TWICE);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  if (rate !== 1) {
    const slow = await page.context().newCDPSession(page);
    await slow.send('Emulation.setCPUThrottlingRate', { rate });
  }
  await countRuns(page);
  const runsFinished = () => page.evaluate(() => globalThis.runsFinished);
  let typed = '';
  // On a busy machine the first run can outlast the text: then more is typed.
  while (typed.length < length || ((await runsFinished()) === 0 && typed.length < 10 * length)) {
    const next = comments(typed.length + every).slice(typed.length);
    // Twice in a row: the second run begins while the page takes over the text of the first.
    for (const part of [next.slice(0, AGAIN), next.slice(AGAIN)]) {
      await page.keyboard.press('Control+Enter');
      await page.keyboard.type(part, { delay });
    }
    typed += next;
  }
  const finished = await runsFinished();
  await page.waitForFunction(() => !document.querySelector('[data-testid=progress]'), undefined, { timeout: 120_000 });
  const end = TWICE.indexOf('\n__global__');
  return { expected: TWICE.slice(0, end) + typed + TWICE.slice(end), text: await textOf(page), finished };
}
