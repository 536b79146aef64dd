// All messages of the engine that have a Chinese text. Where two would have the same key, they mean the same.

import { course } from './course';
import { cuda } from './cuda';
import { data } from './data';
import { devices } from './devices';
import { figures } from './figures';
import { library } from './library';
import { moves } from './moves';
import { papers } from './papers';
import { reading } from './reading';
import { running } from './running';
import { settings } from './settings';
import { texts } from './texts';

export const table: Record<string, string> = {
  ...course,
  ...data,
  ...devices,
  ...moves,
  ...papers,
  ...texts,
  ...cuda,
  ...figures,
  ...library,
  ...reading,
  ...running,
  ...settings,
};
