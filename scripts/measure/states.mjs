// The states of the page that the measures look at one by one: every tab and mode, and every exercise.
import { readFileSync } from 'node:fs';

const json = (file) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url)));

export const LANGUAGES = Object.keys(json('www/content/languages.json'));

const RUN = 'v=1&example=matvec-rows&gpu=rtx3060&model=gpu';
const BASE = encodeURIComponent('v=1&example=matvec-columns&gpu=rtx3060&model=gpu');

/** Hashes by name. */
export const STATES = {
  'the whole GPU': RUN,
  'one L1': 'v=1&example=matmul-naive&gpu=gtx470-16k',
  'a pair': `${RUN}&base=${BASE}`,
  'a step': 'v=1&example=matmul-naive&gpu=gtx470-16k&view.why=12',
  'a link that is wrong': 'v=1&example=stencil&set.ways=0',
  'a missing file': `v=1&file=a.trc%3A12%3A${'ab'.repeat(32)}`,
  kernel: `${RUN}&view.tab=kernel`,
  reuse: `${RUN}&view.tab=reuse`,
  topology: `${RUN}&view.tab=topology`,
  discover: `${RUN}&view.tab=topology&view.topology.mode=discover`,
  measure: `${RUN}&view.tab=topology&view.topology.mode=machine`,
  placement: 'v=1&example=matmul-naive&cuda.size.n=32&gpu=k20c&view.tab=placement',
  memory: `${RUN}&view.tab=placement&view.placement.mode=memory`,
  learn: `${RUN}&view.tab=learn`,
  'self-check': `${RUN}&view.tab=check`,
  ...Object.fromEntries(json('crates/course/course.json').map((id) => [`exercise ${id}`, `v=1&exercise=${id}&seed=2`])),
};

/** In an exercise: checks the answer that stands there, asks for all hints, and shows the solution with the numbers of its figure. */
export async function reveal(page) {
  const form = page.getByTestId('learn-answer');
  if ((await form.count()) === 0) return;
  await form.locator('button[type=submit]').click();
  await page.locator('[data-testid=learn-verdict]:not(.unseen)').waitFor();
  while (await page.getByTestId('learn-hint').count()) await page.getByTestId('learn-hint').click();
  await page.getByTestId('learn-show').click();
  await page.locator('.exercise .figure .live').waitFor({ timeout: 60_000 });
  await page.locator('.exercise .figure summary').click();
  await page.locator('.exercise .figure tbody tr').first().waitFor();
}
