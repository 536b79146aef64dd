// Launch comments: text from its pieces, and back into the CUDA text. Pure.

import type { LaunchItem, LaunchOutline } from '../../engine/scenario/cuda';

const WIDTH = 100;

const itemText = ({ name, declaration, value }: LaunchItem) =>
  `${name}${declaration && `: ${declaration}`}${value && ` = ${value}`}`;

/** A launch comment, its items broken over lines. */
export function launchComment({ kernel, blocks, threads, shared, items }: LaunchOutline): string[] {
  const shape = [blocks, threads, ...(shared === null ? [] : [shared])].join(', ');
  const lines = [`// launch: ${kernel}<<<${shape}>>>(`];
  items.forEach((item, i) => {
    const part = `${itemText(item)}${i + 1 < items.length ? ',' : ')'}`;
    const last = lines.at(-1)!;
    if (lines.length > 1 && last.length + part.length < WIDTH) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(`//     ${part}`);
  });
  return items.length === 0 ? [`${lines[0]})`] : lines;
}

/** `text` with the comment of `before` written anew from `after`; a guessed launch is put above its kernel. */
export function withLaunch(text: string, before: LaunchOutline, after: LaunchOutline): string {
  const lines = text.split('\n');
  lines.splice(before.line - 1, before.last_line - before.line + 1, ...launchComment(after));
  return lines.join('\n');
}

/** Plain values that can be set without changing the text, each once, with the value that the text gives it. */
export function sizesOf(launches: LaunchOutline[]): Omit<LaunchItem, 'declaration'>[] {
  const known = new Map<string, Omit<LaunchItem, 'declaration'>>();
  for (const { items } of launches) {
    for (const { name, declaration, value, origin } of items)
      if (!declaration && value && !known.has(name)) known.set(name, { name, value, origin });
  }
  return [...known.values()];
}

/** Whether the host code starts a kernel several times, as the origin of its blocks says. */
export function severalOfHost(launches: LaunchOutline[]): boolean {
  return launches.some(({ blocks_origin }) => /, launch \d+ of /.test(blocks_origin));
}

/** A size with a fraction that a grid or an array takes: its run would cut the fraction off. */
export function fractionIn(sizes: Record<string, string>, launches: LaunchOutline[]): [string, string] | null {
  const takers = launches.flatMap(({ blocks, threads, items }) => [
    blocks,
    threads,
    ...items.map((i) => i.declaration),
  ]);
  const isTaken = (name: string) => takers.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  return Object.entries(sizes).find(([name, value]) => Number(value) % 1 && isTaken(name)) ?? null;
}
