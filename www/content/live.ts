// Words of the charts that answer pointer and keys.

import { percent } from './format';

export const live = {
  role: 'chart values',
  label: (chart: string) => `${chart}. Arrow keys read the values.`,
  zoomable: 'Plus and minus zoom, 0 shows all.',
  pickable: 'Enter filters by the value.',
  nothing: 'No value is chosen.',
  mark: 'Mark',
  values: 'Values',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  whole: 'Whole axis',
  part: (from: number, to: number) => `Shown: ${percent(from)} to ${percent(to)} of the axis.`,
  png: 'Save PNG',
  pngFailed: 'The browser could not make the PNG. Save the SVG instead.',
};
