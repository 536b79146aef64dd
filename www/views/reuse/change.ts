// Changes of the settings by the person: each goes into the link, and what the link promised before no longer holds.

import { batch } from '@preact/signals';
import { setView } from '../../app/tabs';

/** Sets values of the link; null is the default. */
export function change(values: Record<string, string | null>) {
  batch(() => {
    setView('reuse.result', null);
    for (const [key, value] of Object.entries(values)) setView(`reuse.${key}`, value);
  });
}
