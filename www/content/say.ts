// How a message of the engine is said in another language. The engine sends English text. A table has it as a key, with `{}` in the
// place of each value, or `{#}` where only a number or a percentage can stand. The values go into the translation, in the same order or where `{1}`,
// `{2}` … stand.

type Template = [RegExp, string];

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Its thousands may be parted by thin spaces. */
const NUMBER = '([\\d.,\u202f]+(?:[ \u202f]?%)?)';

/** The name of what a value counts, after it. The engine leaves its ending out where there is one: "1 launch", "2 launches". */
const PLURAL = /(\) (?:[a-z]*[a-rt-z] )?[a-z]+?)((?<=ch|ss)es|s)\b/g;

/** The keys with values, those with most fixed text first: they say most exactly what a message is. */
function templatesOf(table: Record<string, string>): Template[] {
  const fixed = (key: string) => key.replace(/\{#?\}/g, '').length;
  const pattern = (key: string) =>
    new RegExp(
      `^${key
        .split('{}')
        .map((part) => part.split('{#}').map(literal).join(NUMBER))
        .join('([^]*?)')
        .replace(PLURAL, '$1(?:$2)?')}$`,
    );
  return Object.entries(table)
    .filter(([key]) => /\{#?\}/.test(key))
    .sort(([a], [b]) => fixed(b) - fixed(a))
    .map(([key, own]) => [pattern(key), own]);
}

/** Puts values in. */
function filled(own: string, values: (string | undefined)[]): string {
  let next = 0;
  return own.replace(/\{(\d*)\}/g, (_, number: string) => values[number ? Number(number) - 1 : next++] ?? '');
}

/** What says messages by a table. A text that is not in it is taken apart at semicolons; what is unknown then stays as it is. */
export function speaker(table: Record<string, string>): (text: string) => string {
  const templates = templatesOf(table);
  const exact = (text: string) => (Object.hasOwn(table, text) ? table[text] : text);
  const within = (text: string) => (text.includes(' ') ? (known(text) ?? text) : exact(text));
  const known = (text: string): string | undefined => {
    if (Object.hasOwn(table, text)) return table[text];
    for (const [pattern, own] of templates) {
      const values = pattern.exec(text);
      // A value can be a text of the table itself, or made of such.
      if (values) return filled(own, values.slice(1).map(within));
    }
    return undefined;
  };
  const parted = (text: string) => {
    const parts = text.split('; ');
    const own = parts.map(known);
    return own.every((part) => part === undefined) ? text : own.map((part, i) => part ?? parts[i]).join('；');
  };
  return (text) => known(text) ?? parted(text);
}
