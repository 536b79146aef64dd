// What the parts of the view say where they count all accesses although a part is picked. The words come with the first pick.

import { signal } from '@preact/signals';
import type { o } from '../../../content/only';

export const partWords = signal<typeof o.whole | null>(null);
