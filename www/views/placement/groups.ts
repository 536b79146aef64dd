// Hashed bank bits as people type them.

/** "12+20, 13 + 24" → [[12, 20], [13, 24]]; what is no list of numbers is left out. */
export function readGroups(text: string): number[][] {
  return text.split(/[,;]/).flatMap((group) => {
    const bits = group
      .split(/[+\s^]+/)
      .filter((part) => part !== '')
      .map(Number);
    return bits.length > 1 && bits.every((bit) => Number.isInteger(bit) && bit >= 0 && bit < 64) ? [bits] : [];
  });
}
