// Sizes and values as people type them.

/** "24 KiB", "24k", "4096" → bytes; null for anything else. */
export function parseBytes(text: string): number | null {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*(|b|bytes|k|kb|kib|m|mb|mib|g|gb|gib)\s*$/i.exec(text);
  if (!match) return null;
  const unit = match[2]!.toLowerCase().charAt(0);
  const factor = unit === 'k' ? 2 ** 10 : unit === 'm' ? 2 ** 20 : unit === 'g' ? 2 ** 30 : 1;
  const value = Math.round(Number(match[1]!.replace(',', '.')) * factor);
  return Number.isSafeInteger(value) ? value : null;
}

/** A number, or null for an empty or wrong field. */
export function parseNumber(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) ? null : value;
}

/** A share given in percent within 0 to 50, or null for "its own". */
export function parsePercent(text: string | null): number | null {
  const value = text === null ? null : parseNumber(text);
  return value !== null && value >= 0 && value <= 50 ? value / 100 : null;
}

/** A fact's value as text for a field. */
export function fieldText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Keys whose value is a word, even where it looks like a number. */
const WORDS = ['stores', 'generation', 'thesis_table', 'address_mapping'];
/** Keys whose value is true or false. */
const SWITCHES = ['merges_wide', 'asks_again', 'counts_lanes', 'l2_half_dirty', 'wide_multiply', 'global_loads_in_l1'];

/** Text of a field as a fact's value, of the kind that its path has. */
export function fieldValue(path: string, text: string): unknown {
  const key = path.split('.').pop();
  if (key === 'shared_with')
    return text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  if (WORDS.includes(key ?? '')) return text.trim();
  if (SWITCHES.includes(key ?? '') && ['true', 'false'].includes(text.trim())) return text.trim() === 'true';
  if (key === 'set_index') return text.trim().startsWith('{') ? parsed(text) : text.trim();
  const bytes = key?.includes('bytes') ? parseBytes(text) : null;
  return bytes ?? parseNumber(text) ?? text.trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}

/** A value with parts, such as the masks of a set index: how many there are, and the first ones as an address. */
export function inWords(value: object): string {
  const one = ([key, part]: [string, unknown]) => {
    const name = key.replaceAll('_', ' ');
    if (!Array.isArray(part)) return `${name} ${String(part)}`;
    const first = part.slice(0, 2).map((n) => (typeof n === 'number' ? `0x${n.toString(16)}` : String(n)));
    return `${part.length} ${name}: ${first.join(', ')}${part.length > 2 ? ', …' : ''}`;
  };
  return Object.entries(value).map(one).join('; ');
}
