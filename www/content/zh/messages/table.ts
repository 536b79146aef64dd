// All messages of the engine that have a Chinese text. Where two would have the same key, they mean the same.

import { cuda } from './cuda';
import { figures } from './figures';
import { library } from './library';
import { reading } from './reading';
import { running } from './running';
import { settings } from './settings';

export const table: Record<string, string> = { ...cuda, ...figures, ...library, ...reading, ...running, ...settings };
