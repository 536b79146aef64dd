// Which parameters the engine refuses. Its messages name them by their keys. Pure.

import type { Diagnostic } from '../engine/types';

/** The error of the parameters that names a key, such as `ways` in `cache_bytes: a multiple of line_bytes × ways`. */
export function errorOf(key: string, list: Diagnostic[]): Diagnostic | undefined {
  const names = (text: string) => text.split(/\W+/).includes(key);
  return list.find((d) => d.severity === 'error' && d.file === 'parameters' && names(d.expected));
}
