// Hostile links, names and files: markup, keys of prototypes, right-to-left text, control characters, formulas, huge numbers. Each must be
// answered, and nothing of it may run.
import { runsRight } from './pages.mjs';
import { random, seedOf } from './random.mjs';

/** What a script of the page would set if it ran. */
export const RAN = 'hostileRan';

const TEXTS = [
  `<img src=x onerror="globalThis.${RAN}=1">`,
  `<script>globalThis.${RAN}=1</script>`,
  `"><svg/onload=globalThis.${RAN}=1>`,
  `'><a href="javascript:globalThis.${RAN}=1">x</a>`,
  `javascript:globalThis.${RAN}=1`,
  `data:text/html,<script>top.${RAN}=1</script>`,
  `\${globalThis.${RAN}=1}`,
  `{{constructor.constructor('globalThis.${RAN}=1')()}}`,
  `</title><script>globalThis.${RAN}=1</script>`,
  '<style>*{display:none!important}</style>',
  '<meta http-equiv=refresh content="0;url=about:blank">',
  '<base href="https://example.org/">',
  '<iframe srcdoc="x"></iframe>',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  '\u202etxt.exe',
  '\u2066\u202eabc\u2069',
  'שלום עולם',
  'مرحبا بالعالم',
  'a\u200b\u200d\ufeffb',
  '\u0000',
  '\u0007\u001b]0;x\u0007\u001b[2J',
  '=HYPERLINK("http://example.org")',
  '@SUM(1)',
  '../../../../etc/passwd',
  'C:\\con\\aux',
  'file:///etc/passwd',
  '%00%0a%ff',
  '%',
  '%E0%A4%A',
  '\ud800',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧',
  '',
  ' ',
  'x'.repeat(3000),
  '{seed}{x:999}{',
  '`code`',
  '1e999',
  '-0',
  '99999999999999999999',
  '0x7fffffffffffffff',
  'NaN',
  '1;drop table',
  'ı̇İß',
  '\r\n\r\nHTTP/1.1 200 OK',
];

const SETTINGS = ['ways', 'cache_bytes', 'mshrs', 'line_bytes', 'sigma', 'latency', 'set_index'];
const VIEWS = [
  ...['tab', 'why', 'only', 'kernel.line', 'reuse.line', 'reuse.result', 'topology.mode', 'topology.seed'],
  ...['placement.mode', 'placement.gpu', 'learn.exercise', 'learn.seed', 'names.0'],
];

/** A link with a hostile value, or a hostile key, somewhere. */
function link(r) {
  const text = r.one(TEXTS);
  const put = encodeURIComponent(text.toWellFormed?.() ?? Buffer.from(text).toString());
  return r.one([
    () => `v=1&example=${put}`,
    () => `v=1&example=vector-add&gpu=${put}`,
    () => `v=1&example=vector-add&set.${r.one(SETTINGS)}=${put}`,
    () => `v=1&example=vector-add&set.${put}=8`,
    () => `v=1&example=vector-add&cuda.size.n=${put}`,
    () => `v=1&example=vector-add&cuda.size.${put}=8`,
    () => `v=1&cuda.text=${put}`,
    () => `v=1&example=vector-add&cuda.launch=${put}`,
    () => `v=1&example=vector-add&view.${r.one(VIEWS)}=${put}`,
    () => `v=1&example=vector-add&view.${put}=1`,
    () => `v=1&file=${put}%3A12%3A${'ab'.repeat(32)}`,
    () => `v=1&file=a.trc%3A12%3A${'ab'.repeat(32)}&as.1=${put}`,
    () => `v=1&exercise=${put}&seed=1`,
    () => `v=1&exercise=strides&seed=${put}`,
    () => `v=1&example=vector-add&lang=${put}`,
    () => `v=1&example=vector-add&result=${put}`,
    () => `v=1&example=vector-add&base=${encodeURIComponent(`v=1&example=${put}`)}`,
    () => `v=1&example=vector-add&kernels=${put}`,
    () => `v=1&example=vector-add&model=${put}`,
    () => `v=1&example=vector-add&seed=${put}`,
    () => `v=${put}`,
    () => put,
    () => text.replaceAll('\u0000', ''),
    () => `v=1&example=vector-add&${put}=${put}`,
    () => `v=1&example=vector-add&__proto__.${RAN}=1&constructor.prototype.${RAN}=1`,
  ])();
}

/** A good file of each kind with a hostile text in each place that a person reads. */
function content(r, text) {
  const quoted = JSON.stringify(text);
  const line = text.replaceAll(/[\r\n\0]/g, ' ');
  return r.one([
    () => ['.trc', `blocksize: 32 1 1\n0 0 4096 4\n${line}\n`],
    () => ['.traceg', `-kernel name = ${line}\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n${line}\n`],
    () => [
      '.cu',
      `// launch: k<<<1, 32>>>(x: float[32])\n// ${line}\n__global__ void k(float *x) { x[0] = "${line}"; }\n`,
    ],
    () => ['.cu', `#include "${line}"\n#define ${line} 1\n__global__ void ${line}(float *x) {}\n`],
    () => ['.json', `{"warpscope_topology": 1, "id": ${quoted}, "name": ${quoted}, "vendor": ${quoted}}`],
    () => [
      '.json',
      `{"warpscope":"scenario","scenario":{"version":1,"example":${quoted},"files":[],"gpu":${quoted},"model":"paper","seed":1,"set":{${quoted}:"1"},"view":{"tab":${quoted}}}}`,
    ],
    () => [
      '.json',
      `{"warpscope_exercise":1,"id":"own","level":1,"title":{"en":${quoted}},"goal":{"en":${quoted}},"question":{"en":${quoted}},"answer":{"kind":"number","is":1},"hints":[{"en":${quoted}},{"en":"b"}],"solution":{"en":${quoted}}}`,
    ],
    () => [
      '.json',
      `{"__proto__": {"${RAN}": 1}, "constructor": {"prototype": {"${RAN}": 1}}, "warpscope_exercise": 1}`,
    ],
    () => ['.csv', `"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n"0",${quoted},${quoted},"x","1"\n`],
    () => ['.csv', `time,rw,addr,size\n1,R,${line},8\n`],
    () => ['.g', `MemcpyHtoD,0x10,4096\n${line}\n`],
    () => ['.xml', `<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><x>&c;${line}</x>`],
    () => ['.html', `<html><body>${line}</body></html>`],
    () => ['.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.${RAN}=1">${line}</svg>`],
  ])();
}

/** Case `index`: a link to open, or a file to drop. */
export function hostileCase(index, seed) {
  const r = random(seedOf(seed, 'hostile', index));
  if (r.below(3) > 0) return { link: link(r) };
  const [ending, body] = content(r, r.one(TEXTS));
  // A file system takes neither slash nor NUL, and no name above 255 bytes; a page is given any name.
  return { file: { name: `${r.one(TEXTS).slice(0, 300)}${ending}`, content: body } };
}

/** A message, a question, or an exercise; a run's result is in the address. */
const MESSAGE = '.diagnostic, [role=alert], .wanted, .problems:not(:empty), [data-testid=learn-answer], .course';

/** Goes to a known run, so that whatever is there later answers what came after it. Gives the address, or null. */
async function known(page, wanted) {
  if ((await runsRight(page)) !== wanted) return null;
  return page
    .waitForFunction((message) => !document.querySelector(message) && location.hash, MESSAGE, { timeout: 10_000 })
    .then((address) => address.jsonValue())
    .catch(() => null);
}

/**
 * Opens or drops one case in an open page, and says what is wrong with how the page took it, or null. `wanted` is the result of the known
 * run, from which each case starts: an earlier message is gone then, and the address is one that a case changes.
 */
export async function tryInPage(page, { link: hash, file }, { drop, wanted, patience = 20_000 }) {
  const before = await known(page, wanted);
  if (before === null) return 'the page does not come back to a known run before this case';
  if (hash === undefined) await drop(page, 'body', [file]);
  else await page.evaluate((text) => (location.hash = `#${text}`), hash);
  try {
    await page.waitForFunction(
      ([message, old]) =>
        !document.querySelector('[data-testid=progress]') &&
        (document.querySelector(message) || (location.hash !== old && /[&#]result=[0-9a-f]{32}/.test(location.hash))),
      [MESSAGE, before],
      { timeout: patience },
    );
  } catch {
    return 'not answered';
  }
  return harm(page);
}

/** What of an input does something in the page, or null. */
export function harm(page) {
  return page.evaluate((ran) => {
    if (ran in globalThis || ran in {}) return 'something ran, or a prototype has a new key';
    const strange =
      'body :is(iframe, object, embed, base, meta), #tab-panel :is(script, link[href^=http]), [onerror], [onload]';
    if (document.querySelector(strange)) return 'markup of the input is in the page';
    if (
      [...document.querySelectorAll('[href], [src]')].some((it) =>
        ['href', 'src'].some((name) => /^\s*javascript:/i.test(it.getAttribute(name) ?? '')),
      )
    )
      return 'a link that runs a script';
    if (document.querySelector('.card.crash'))
      return `crash card: ${document.querySelector('.crash')?.textContent.slice(0, 300)}`;
    return document.body.innerText.trim() === '' ? 'blank page' : null;
  }, RAN);
}
