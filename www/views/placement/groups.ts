// Hashed bank bits as people type them.

/** "12+20, 13 + 24" → [[12, 20], [13, 24]]; null where a group is not two or more of the `known` bits. */
export function readGroups(text: string, known: number[]): number[][] | null {
  const groups = text
    .split(/[,;]/)
    .map((group) => group.split(/[+\s^]+/).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
    .map((parts) => [...new Set(parts.map(Number))]);
  return groups.every((bits) => bits.length > 1 && bits.every((bit) => known.includes(bit))) ? groups : null;
}
