import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Work, WorkAdvice } from '../engine/types';
import { advice, besideLeast, workSentence } from './work';

const plain = (text: string) => text.replaceAll('\u202f', ' ');
const none = { instructions: 0, requests: 0, least: 0 };

function testWork(more: Partial<Work> = {}): Work {
  return {
    request_bytes: 128,
    loads: { instructions: 6144, requests: 101_376, least: 6144 },
    stores: none,
    atomics: none,
    l1_bytes: 1_988_224,
    l2_bytes: null,
    least_bytes: 393_984,
    block_bytes: 394_752,
    uses: 1.03,
    advice: { cause: 'least', factor: 1, of: 'loads', array: null },
    ...more,
  };
}

const array = { name: 'A', base: '0x100', bytes: 4096, guessed: false };
const advised = (part: Partial<WorkAdvice>, more: Partial<Work> = {}) =>
  plain(advice(testWork({ ...more, advice: { cause: 'least', factor: 1, of: 'loads', array: null, ...part } })));

test('the headline of one L1 leads with work, beside the least', () => {
  assert.equal(
    plain(workSentence(testWork())),
    'Loads make 101 376 requests, 16.5 each; 1 would do. 1.9 MiB come into the L1s; 384.8 KiB would do.',
  );
  const best = testWork({ loads: { instructions: 6144, requests: 6144, least: 6144 }, l1_bytes: 394_752 });
  assert.equal(
    plain(workSentence(best)),
    'Loads make 6 144 requests, 1 each, the least there can be. 385.5 KiB come into the L1s, near the least.',
  );
  assert.equal(workSentence(testWork({ loads: none })), 'No load goes to the L1.');
  assert.equal(besideLeast(testWork(), 1000, 'little'), 'little', 'caches that were warm before');
});

test('the advice says what the cause is and what to do', () => {
  assert.match(
    advised({ cause: 'coalescing', factor: 16.5, array }),
    /far apart \(most in “A”\).* ask for 1 request instead of 16\.5/,
  );
  const shifted = { loads: { instructions: 2, requests: 4, least: 2 } };
  assert.match(
    advised({ cause: 'coalescing', factor: 2 }, shifted),
    /2 places of 128 bytes where 1 .*multiple of 128 bytes/,
  );
  const stores = { stores: { instructions: 2, requests: 64, least: 2 } };
  assert.match(advised({ cause: 'coalescing', factor: 9, of: 'stores' }, stores), /a warp store .* instead of 32\.$/);
  assert.match(
    advised({ cause: 'sharing_in_block', factor: 36, array }),
    /load .*36 times each, most of them in “A”.*shared memory/,
  );
  assert.match(advised({ cause: 'sharing_in_block', factor: 240, of: 'atomics' }), /change the same words/);
  assert.match(advised({ cause: 'sharing_across_blocks', factor: 8 }), /several blocks load .*Larger tiles/);
  assert.match(advised({ cause: 'sets', factor: 2 }), /^Sets: .*2 times.*more ways/);
  assert.match(advised({ cause: 'capacity', factor: 1.3 }), /^Capacity: .*1\.3 times/);
  assert.match(advised({ cause: 'lost', factor: 3 }), /Misses by class/);
  assert.match(advised({}, { l1_bytes: 400_000 }), /^Nothing to win/);
  assert.match(advised({}), /^No cause stands out/);
  assert.equal(advised({ cause: 'idle' }), '');
});
