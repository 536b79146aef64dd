// Words of the charts that answer pointer and keys, in Chinese.

import type { live as english } from '../live';
import { percent } from './format';

export const live: typeof english = {
  role: '图表数值',
  label: (chart: string) => `${chart} 用方向键读取数值。`,
  zoomable: '加减号缩放，0 显示全部。',
  pickable: '回车键按该值筛选。',
  nothing: '没有选中数值。',
  mark: '图形标记',
  values: '数值',
  zoomIn: '放大',
  zoomOut: '缩小',
  whole: '整个坐标轴',
  part: (from: number, to: number) => `显示坐标轴的 ${percent(from)} 至 ${percent(to)}。`,
  png: '保存 PNG',
  pngFailed: '浏览器无法生成 PNG，请改为保存 SVG。',
};
