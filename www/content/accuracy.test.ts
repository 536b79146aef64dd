import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeError } from './accuracy';
import { errorSentence } from './sure';

test('a GPU that nobody measured says so, and so does one with changed values', () => {
  const plain = (text: string) => text.replaceAll('\u202f', ' ');
  assert.equal(plain(timeError('rtx3080', false)), 'mean error here 11 %');
  assert.match(timeError('rtx3060', false), /unknown/);
  assert.match(timeError('rtx3080', true), /unknown/);
});

test('the sentence tells the error of the GPU, or of those that were measured', () => {
  const plain = (text: string) => text.replaceAll('\u202f', ' ');
  assert.match(
    plain(errorSentence('rtx3080', false, 1e-3)),
    /27 measured .* 11 % off in the mean: 1[01]\d µs of the 1[.,]?00\d? .s here/,
  );
  assert.match(
    plain(errorSentence('rtx3060', false, 32.3e-6)),
    /unknown here, .* this GPU\. .* runs from 3 % to 13 % \(6 GPUs\)\. The largest of these means is 4\.\d+ µs of the 32\.3 µs here/,
  );
  assert.match(errorSentence('rtx3080', true, 1), /unknown here, since nobody measured such a changed GPU/);
});
