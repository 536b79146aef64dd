// Messages of the engine in Chinese. The table is a chunk of its own: the first screen does not wait for it.

import { signal } from '@preact/signals';
import { speaker } from '../say';

const spoken = signal<((text: string) => string) | null>(null);

import(/* webpackChunkName: 'messages' */ './messages/table').then(
  ({ table }) => (spoken.value = speaker(table)),
  // The messages stay English.
  () => {},
);

export const say = (text: string) => spoken.value?.(text) ?? text;

export const speaks = () => spoken.value !== null;
