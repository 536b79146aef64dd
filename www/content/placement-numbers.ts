// How every language writes the numbers of the Placement tab.

import { signed } from './format';

/** A count, or a mean with one digit. */
export const asCount = (n: number) =>
  Math.abs(n) >= 100 || Number.isInteger(n) ? signed(n) : n.toFixed(1).replace('-', '−');

/** A difference with its sign. */
export const asDifference = (n: number) => (Math.abs(n) < 0.05 ? '0' : `${n > 0 ? '+' : ''}${signed(n)}`);

/** A sentence of the engine with its signs and its large numbers as this page writes them. */
export const withNumbers = (text: string) =>
  text.replaceAll(/ -(?=\d)/g, ' −').replaceAll(/(?<=[ −])\d{5,}(?=$|[ ),;])/g, (digits) => asCount(Number(digits)));

/** Bits of an address that are hashed together. */
export const asMask = (bits: number[]) => bits.join(' + ');
