// What a GPU is called, by its id in a scenario.

import { s } from '../content/strings';
import { intake, presets } from './store';

/** The preset's name, or that of the dropped topology. */
export const gpuName = (id: string) =>
  presets.find((preset) => preset.id === id)?.name ?? intake.value?.topology ?? s.settings.gpuFile;
