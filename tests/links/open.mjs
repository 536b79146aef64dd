// Opens a stored link in whatever browser: what the page shows, and whether its result is the link's.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** The stored links, without comments. */
export const linksOf = () =>
  readFileSync(`${folder}reproduced.txt`, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));

/** The files that they name. */
export const filesOf = () => readdirSync(`${folder}files`).map((name) => `${folder}files/${name}`);

/** Whether the Cache tab's result is there: its badge, or the fingerprint in the address on another tab. */
const settled = (promised) =>
  location.hash.includes(`result=${promised}`) &&
  (document.querySelector('[data-testid=reproduced]') ||
    document.querySelector('[role=tab][aria-selected=true]:not(:first-child)'));

/**
 * Opens `link` and gives null where it is reproduced, the reason otherwise. `give` hands files to the page where it asks for them: a text in
 * the link, or files that the browser keeps, need none.
 */
export async function openLink({ open, give, wait, ask, link }) {
  const promised = /(?:^|&)result=([0-9a-f]{32})/.exec(link)[1];
  await open(link);
  const names = new URLSearchParams(link).getAll('file').map((file) => file.split(':')[0]);
  if (names.length > 0 && !link.includes('cuda.text=')) {
    await wait(() => /This link needs/.test(document.body.innerText) || document.querySelector('.sentence'));
    // Their contents decide, so all can be given.
    await give(filesNamed(link));
  }
  try {
    await wait(settled, promised);
    return null;
  } catch (error) {
    const said = await ask(() => document.body.innerText.slice(0, 400));
    return `${error.message.split('\n')[0]}: ${said.replaceAll(/\s+/g, ' ')}`;
  }
}

/** The stored files that a link names, by their sizes. */
function filesNamed(link) {
  const sizes = new URLSearchParams(link).getAll('file').map((file) => Number(file.split(':').at(-2)));
  return filesOf().filter((file) => sizes.includes(readFileSync(file).length));
}

/** The stored links of exercises, each with its right answer. */
export const exercisesOf = () =>
  readFileSync(`${folder}exercises.txt`, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('\t'))
    .map(([link, , answer]) => ({ link, answer: answer.startsWith('{') ? JSON.parse(answer) : null }));
