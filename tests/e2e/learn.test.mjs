// The Learn tab: the course, one answer of each kind, hints, solutions, hand-in, and exercises of a visitor's own.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { assertAccessible, assertFits, drop, linked, LOOKS, PHONE, withPage } from './browser.mjs';
import { native } from '../native.mjs';

const at = (id, seed, more = '') => `#v=1&exercise=${id}&seed=${seed}${more}`;
const verdict = (page) => page.getByTestId('learn-verdict');
const check = (page) => page.getByTestId('learn-answer').getByRole('button', { name: 'Check' }).click();

/** The right answer, as the terminal computes it. */
const answerOf = (id, seed) => {
  const shown = native('exercise', 'show', id, '--seed', String(seed), '--solution');
  return /^answer +(.*)$/m.exec(shown)[1];
};

test('the course lists its exercises by level, and opens one with a link of its own', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('tab', { name: 'Learn' }).click();
      await assert.doesNotReject(page.getByTestId('learn-solved').waitFor());
      assert.ok((await page.locator('.course li').count()) >= 18);
      await page.getByRole('button', { name: 'Count the sectors of a strided load' }).click();
      await page.getByTestId('learn-answer').waitFor();
      await linked(page, /view\.learn\.exercise=strides/);
    },
    { context: { locale: 'en-GB' } },
  ));

test('a number is refused with a hint when it is near, and taken when it is right', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('learn-answer').waitFor();
      await page.getByLabel('Answer').fill('1');
      await check(page);
      await page.waitForFunction(() => /Not yet/.test(document.body.innerText));
      assert.match(await verdict(page).innerText(), /too small/);
      await page.getByLabel('Answer').fill(answerOf('strides', 7));
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => /Right\./.test(document.body.innerText));
      await page.getByRole('button', { name: 'Next exercise' }).click();
      await page.getByRole('heading', { name: 'Rows against columns' }).waitFor();
    },
    { at: at('strides', 7) },
  ));

test('hints come one at a time, and the solution has a figure of the tool', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('button', { name: 'Show hint 1' }).click();
      await page.getByRole('button', { name: 'Show hint 2' }).click();
      assert.equal(await page.getByTestId('learn-hints').locator('li').count(), 2);
      await page.getByRole('button', { name: 'Show the solution' }).click();
      await page.getByTestId('learn-solution').waitFor();
      await page.locator('.exercise .figure svg').first().waitFor();
      assert.doesNotMatch(await page.getByTestId('learn-solution').innerText(), /[{}]/);
      // The values of the picture, for a person who does not see it.
      await page.locator('.exercise .figure summary').click();
      const [slider, rows] = ['[role=slider]', '.numbers tbody tr'].map((one) =>
        page.locator(`.exercise .figure ${one}`),
      );
      await rows.first().waitFor();
      assert.equal(await rows.count(), 1 + Number(await slider.getAttribute('aria-valuemax')));
      for (const row of await rows.allInnerTexts()) assert.match(row, /\d/);
    },
    { at: at('strides', 3) },
  ));

test('a row, an order and a choice are checked by keyboard', () =>
  withPage(
    async ({ page }) => {
      const cells = answerOf('table-2', 4).split(' ');
      const inputs = page.locator('.cells input');
      await inputs.first().waitFor();
      for (const [i, cell] of cells.entries()) await inputs.nth(i).fill(cell === '∞' ? 'inf' : cell);
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => /Right\./.test(document.body.innerText));

      await page.goto(`${page.url().split('#')[0]}${at('order-patterns', 2)}`);
      const wanted = answerOf('order-patterns', 2).split(' · ');
      const plain = (text) => text.replaceAll('`', '');
      const item = page.locator('.ordering li > span');
      await item.first().waitFor();
      for (const [place, text] of wanted.entries()) {
        for (;;) {
          const now = (await item.allInnerTexts()).indexOf(plain(text));
          if (now <= place) break;
          await page
            .locator('.ordering li')
            .nth(now)
            .getByRole('button', { name: /Move up/ })
            .press('Enter');
        }
      }
      await check(page);
      await page.waitForFunction(() => /Right\./.test(document.body.innerText));

      await page.goto(`${page.url().split('#')[0]}${at('curve', 1)}`);
      await page.getByRole('radio').first().waitFor();
      await page.getByText(plain(answerOf('curve', 1)), { exact: true }).click();
      await check(page);
      await page.waitForFunction(() => /Right\./.test(document.body.innerText));
    },
    { at: at('table-2', 4) },
  ));

test('an exercise that is chosen while another one opens is the one on show', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('learn-answer').waitFor();
      // Changes at once, and changes while a step runs.
      for (const wait of [0, 20]) {
        const links = [at('order-patterns', 10 + wait), at('curve', 20 + wait), at('curve', 40 + wait)];
        await page.evaluate(
          async ([all, ms]) => {
            for (const link of all) {
              location.hash = link;
              await new Promise((done) => setTimeout(done, ms));
            }
          },
          [links, wait],
        );
        await page.getByRole('radio').first().waitFor();
        await page.getByText(answerOf('curve', 40 + wait).replaceAll('`', ''), { exact: true }).waitFor();
        assert.doesNotMatch(await page.locator('#result').innerText(), /Stopped|1 error/);
        await page.evaluate((link) => (location.hash = link), at('table-2', 4));
        await page.locator('.cells input').first().waitFor();
      }
    },
    { at: at('table-2', 4) },
  ));

test('an answer that is typed and not checked stays, over exercises, tabs and a reload', () =>
  withPage(
    async ({ page }) => {
      const cells = page.locator('.cells input');
      const held = () => cells.evaluateAll((list) => list.map((cell) => cell.value));
      await cells.nth(1).fill('4');
      const typed = await held();
      await page.getByRole('button', { name: '← All exercises' }).click();
      await page.getByRole('button', { name: 'Count the sectors of a strided load' }).click();
      const text = page.getByLabel('Answer', { exact: true });
      await text.fill('12 or so');
      await page.getByRole('tab', { name: 'Cache' }).click();
      await page.waitForFunction(() => /exercise=strides/.test(location.hash) && !/tab=learn/.test(location.hash));
      await page.getByRole('tab', { name: 'Learn' }).click();
      await page.waitForFunction(() => /tab=learn/.test(location.hash));
      assert.equal(await text.inputValue(), '12 or so');
      await page.goBack();
      await page.goto(`${page.url().split('#')[0]}${at('table-2', 4)}`);
      await cells.first().waitFor();
      assert.deepEqual(await held(), typed);
      await page.reload();
      await cells.first().waitFor();
      assert.deepEqual(await held(), typed);
      await page.getByRole('button', { name: 'Forget my progress' }).click();
      await page.getByRole('button', { name: 'Press again to forget all of it' }).click();
      await page.getByText('Your progress is deleted.').waitFor();
      await page.reload();
      await cells.first().waitFor();
      assert.deepEqual(
        await held(),
        typed.map(() => ''),
      );
    },
    { at: at('table-2', 4) },
  ));

test('an exercise begins at its title on a phone, and the way back leads to its place in the list', () =>
  withPage(
    async ({ page }) => {
      const title = 'Which caches are one?';
      const place = () =>
        page.evaluate(() => {
          const { top } = document.activeElement.getBoundingClientRect();
          return { focus: document.activeElement.innerText.split('\n')[0], seen: top >= 0 && top < innerHeight / 2 };
        });
      await page.getByRole('button', { name: title }).click();
      await page.getByTestId('learn-answer').waitFor();
      assert.deepEqual(await place(), { focus: title, seen: true });
      await page.getByText(answerOf('hidden-sharing', 1), { exact: true }).click();
      await check(page);
      await page.getByRole('button', { name: 'Next exercise' }).click();
      await page.getByRole('heading', { name: 'Spot the change point and test it' }).waitFor();
      await page.getByTestId('learn-answer').waitFor();
      assert.deepEqual(await place(), { focus: 'Spot the change point and test it', seen: true });
      await page.getByRole('button', { name: '← All exercises' }).click();
      await page.getByTestId('learn-solved').waitFor();
      assert.equal((await place()).focus, 'Spot the change point and test it');
      // Another seed is not another place.
      await page.getByRole('button', { name: title }).click();
      await page.getByTestId('learn-answer').waitFor();
      await page.getByLabel('Seed', { exact: true }).fill('2');
      await page.getByLabel('Seed', { exact: true }).press('Enter');
      await page.getByText('Seed 2').first().waitFor();
      await page.getByTestId('learn-answer').waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.id), 'learn-seed');
    },
    { at: '#v=1&view.tab=learn', context: PHONE },
  ));

test('one press does not delete the progress, and a hand-in without answers says so in sight', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('learn-answer').waitFor();
      await page.getByRole('button', { name: 'Save the file' }).click();
      const told = page.getByText('Have an answer checked first.');
      await told.waitFor();
      const { y } = await told.boundingBox();
      assert.ok(y >= 0 && y < PHONE.viewport.height, `${y}`);
      await page.getByLabel('Answer').fill(answerOf('strides', 7));
      await check(page);
      await page.waitForFunction(() => /Right\./.test(document.body.innerText));
      await page.getByRole('button', { name: 'Forget my progress' }).click();
      await page.getByRole('button', { name: '← All exercises' }).click();
      await page.getByText('1 of 27 solved').waitFor();
      await page.getByRole('button', { name: 'Forget my progress' }).waitFor();
    },
    { at: at('strides', 7), context: PHONE },
  ));

test('what a verdict quotes of a kernel is code', () =>
  withPage(
    async ({ page }) => {
      const text = '// launch: f<<<1, 32>>>(x: float[32])\n__global__ void f(float *x) { x[0] = y; }';
      await page.getByLabel('Kernel', { exact: true }).fill(text);
      await check(page);
      await verdict(page).locator('code').first().waitFor();
      assert.doesNotMatch(await verdict(page).innerText(), /`/);
    },
    { at: at('half-bytes', 1) },
  ));

test('a kernel is right when it computes the same and moves less', () =>
  withPage(
    async ({ page }) => {
      await page.getByLabel('Kernel', { exact: true }).waitFor();
      await check(page);
      await page.waitForFunction(() => /It must be at most/.test(document.body.innerText));
      await page.getByLabel('Kernel', { exact: true }).fill(answerOfKernel());
      await check(page);
      await page.waitForFunction(() => /Right\./.test(document.body.innerText));
    },
    { at: at('half-bytes', 1) },
  ));

const answerOfKernel = () => {
  const shown = native('exercise', 'show', 'half-bytes', '--seed', '1', '--solution');
  return shown.slice(shown.indexOf('answer') + 11, shown.indexOf('\nsolution'));
};

test('the starting state opens in its tab, and a line leads back', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('learn-start').click();
      await page.getByTestId('exercise-bar').getByText('Count the sectors of a strided load').waitFor();
      await page
        .locator('#result')
        .getByText(/sectors|bytes/i)
        .first()
        .waitFor();
      await page.getByTestId('exercise-bar').getByRole('button').click();
      await page.getByTestId('learn-answer').waitFor();
    },
    { at: at('strides', 2) },
  ));

test('a hand-in is verified by the terminal', () =>
  withPage(
    async ({ page }) => {
      await page.getByLabel('Answer').fill(answerOf('strides', 5));
      await check(page);
      await page.waitForFunction(() => /Right\./.test(document.body.innerText));
      await page.getByLabel('Name of the person or group').fill('Ada L.');
      const saved = page.waitForEvent('download');
      await page.locator('.learn .panel').getByRole('button', { name: 'Save the file' }).click();
      const file = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
      assert.equal(file.name, 'Ada L.');
      assert.deepEqual([file.answers[0].exercise, file.answers[0].seed, file.answers[0].right], ['strides', 5, true]);
      const folder = await mkdtemp(path.join(tmpdir(), 'warpscope-answers-'));
      await writeFile(path.join(folder, 'ada.json'), JSON.stringify(file));
      assert.match(native('exercise', 'grade', folder), /ada\.json,Ada L\.,strides,5,right,true,true/);
    },
    { at: at('strides', 5) },
  ));

test('an exercise of a visitor is text, whatever is in it, and a broken one says where', () =>
  withPage(
    async ({ page }) => {
      const text = await readFile(new URL('../../crates/course/exercises/strides.json', import.meta.url), 'utf8');
      const own = JSON.parse(text);
      own.id = 'own';
      own.title.en = '<img src=x onerror="globalThis.ran = 1"><script>globalThis.ran = 1</script>';
      await drop(page, '.learn', [{ name: 'own.json', content: JSON.stringify(own) }]);
      await page.getByTestId('learn-answer').waitFor();
      assert.match(await page.locator('.exercise h2').first().innerText(), /<script>/);
      assert.equal(await page.evaluate(() => globalThis.ran), undefined);
      own.id = 'broken';
      own.question.en = 'How many {linez}?';
      await drop(page, '.learn', [{ name: 'broken.json', content: JSON.stringify(own) }]);
      await page.getByText(/question\.en/).waitFor();
    },
    { at: '#v=1&example=stencil&view.tab=learn' },
  ));

test('a lecturer writes an exercise in a form, with the messages of the checker in place', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('button', { name: 'Write an exercise' }).click();
      const question = page.getByLabel('Question (en)');
      await question.fill('How many {sectorz}?');
      const said = page.locator('#learn-form-question-en-said');
      await said.getByText('sectorz').waitFor();
      assert.equal(await question.getAttribute('aria-invalid'), 'true');
      assert.ok(await page.getByRole('button', { name: 'Try it' }).isDisabled());
      // The other view is the same file.
      await page.getByRole('radio', { name: 'JSON' }).click();
      assert.match(await page.getByLabel('Exercise as JSON').inputValue(), /How many \{sectorz\}\?/);
      await page.getByRole('radio', { name: 'Form' }).click();
      await question.fill('How many sectors does one load ask for?');
      await page.getByText('The exercise can be used.').waitFor();
      // What is typed stays as typed, on the way to a number and inside JSON.
      const tolerance = page.getByLabel('Tolerance, as a share of the value');
      await tolerance.fill('0.05');
      await tolerance.press('End');
      await tolerance.press('Backspace');
      await page.keyboard.type('2');
      assert.equal(await tolerance.inputValue(), '0.02');
      const parameters = page.getByLabel('Parameters (JSON)');
      const compact =
        '[{"name": "stride", "choose": [2, 3]}, {"name": "n", "choose": [4096]}, {"name": "gpu", "choose": ["a100"]}]';
      await parameters.fill(compact);
      await parameters.evaluate((field, at) => field.setSelectionRange(at, at), compact.indexOf(']'));
      await page.keyboard.type(', 16');
      assert.equal(await parameters.inputValue(), compact.replace(']', ', 16]'));
      await page.getByText('The exercise can be used.').waitFor();
      // A message that is put away makes no exercise usable.
      await question.fill('How many {sectorz}?');
      await said.getByText('sectorz').waitFor();
      await page.getByRole('radio', { name: 'JSON' }).click();
      await page.getByRole('button', { name: 'Dismiss messages' }).click();
      assert.equal(await page.getByText('The exercise can be used.').count(), 0);
      assert.ok(await page.getByRole('button', { name: 'Try it' }).isDisabled());
      await page.getByRole('radio', { name: 'Form' }).click();
      await question.fill('How many sectors does one load ask for?');
      await page.getByText('The exercise can be used.').waitFor();
      // Each kind of answer has its own fields.
      await page.getByLabel('Kind of answer').selectOption('choice');
      assert.equal(await page.getByLabel(/^Option \d: right/).count(), 2);
      await page.getByRole('button', { name: 'Add: Option' }).click();
      assert.equal(await page.getByLabel(/^Option \d: right/).count(), 3);
      await page.getByRole('button', { name: 'Remove: Option 3' }).click();
      await page.getByLabel('Identifier').fill('own');
      await page.getByText('The exercise can be used.').waitFor();
      await assertAccessible(page);
      await assertFits(page);
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('radio').first().waitFor();
    },
    { at: '#v=1&example=stencil&view.tab=learn' },
  ));

test('the exercise that a lecturer writes survives another kind of answer and a reload, and the keyboard keeps its place', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('button', { name: 'Write an exercise' }).click();
      const kind = page.getByLabel('Kind of answer');
      const tolerance = page.getByLabel('Tolerance, as a share of the value');
      await tolerance.fill('0.07');
      await kind.selectOption('choice');
      const rights = page.getByLabel(/^Option \d: right/);
      assert.equal(await rights.count(), 2);
      await rights.first().fill('7');
      await page.getByRole('button', { name: 'Remove: Option 2' }).press('Enter');
      assert.equal(await rights.count(), 1);
      const focused = await page.evaluate(() => document.activeElement.textContent);
      assert.equal(focused, 'Add: Option');
      await kind.selectOption('number');
      assert.equal(await tolerance.inputValue(), '0.07');
      await kind.selectOption('choice');
      assert.equal(await rights.first().inputValue(), '7');
      await page.reload();
      await page.getByRole('button', { name: 'Write an exercise' }).click();
      assert.equal(await rights.first().inputValue(), '7');
    },
    { at: '#v=1&example=stencil&view.tab=learn' },
  ));

test('a link to an exercise by a key that every object has says that there is none', () =>
  withPage(
    async ({ page }) => {
      await page.getByText('There is no exercise “hasOwnProperty” here').waitFor();
    },
    { at: at('hasOwnProperty', 1) },
  ));

for (const look of LOOKS)
  test(`the list and an exercise are accessible and fit (${JSON.stringify(look)})`, () =>
    withPage(
      async ({ page }) => {
        for (const [id, lang] of [
          ['', 'en'],
          ['strides', 'zh'],
          ['table-2', 'en'],
          ['curve', 'zh'],
          ['half-bytes', 'en'],
        ]) {
          const link = id === '' ? '#v=1&example=stencil&view.tab=learn' : at(id, 2, `&lang=${lang}`);
          await page.goto(`${page.url().split('#')[0]}${link}`);
          await (id === '' ? page.locator('.course') : page.getByTestId('learn-answer')).first().waitFor();
          await assertFits(page);
          await assertAccessible(page);
        }
      },
      { at: '#v=1&example=stencil&view.tab=learn', context: look },
    ));
