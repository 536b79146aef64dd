// Why the ways of a comparison in the Reuse tab differ, in Chinese.

import type { ReuseResult } from '../../engine/reuse/protocol';
import { count } from './format';
import { errorPercent, points } from './reuse';

export function reasons(plain: ReuseResult, adjusted: ReuseResult, equal: boolean | null, bins: number): string[] {
  const { difference: off, hp_rda: how } = plain;
  const on = adjusted.difference;
  if (!off || !on || !how) return [];
  const said: string[] = [];
  if (equal)
    said.push(
      '并行结果是精确的，因为每个分区交出其首次使用：只有它们的距离跨越边界，合并时让它们经过前一分区的缓存行重放。',
    );
  if (off.curve_points === 0) {
    said.push(
      how.ntb <= 1 && plain.all.accesses <= how.st * how.nb && how.ef === 1
        ? 'HP-RDA 在这里是精确的：没有缓存行出现在两段线程轨迹中，因此没有重复计数。'
        : 'HP-RDA 在这里是精确的：缓存行再次出现时，其间的各段线程轨迹没有共同的缓存行。',
    );
    return said;
  }
  said.push(
    `HP-RDA 把两次使用之间所有线程轨迹的不同缓存行数相加，如同没有缓存行出现在两段中。平均一个缓存行出现在 ${(1 / how.ef).toFixed(1)} 段线程轨迹中（ef = ${how.ef.toFixed(4)}），因此拼接的距离偏大：最大 ${count(plain.all.largest ?? 0)}，而缓存行总共只有 ${count(plain.distinct)} 个。`,
    on.curve_points < off.curve_points
      ? `ef 把大于 M = ${count(plain.distinct)} 的不可能的距离拉回来：曲线的最大误差从 ${points(off.curve_points)}降到 ${points(on.curve_points)}。`
      : `ef 只改变大于 M = ${count(plain.distinct)} 的距离，而这里误差主要不在那里：曲线的最大误差仍为 ${points(on.curve_points)}。`,
  );
  if (on.e_percent > off.e_percent)
    said.push(
      `按区间看，ef 在这里有害：e 从 ${errorPercent(off.e_percent)} 升到 ${errorPercent(on.e_percent)}，因为大于 M 的距离都乘以同一个因子。`,
    );
  if (on.curve_points > 0) said.push('偏大但不超过 M 的距离从不修正，而修正后的曲线在 M 处有跳变。');
  if (on.binned_points > 0)
    said.push(
      `论文的误差除以 ${bins} 个区间：e = ${errorPercent(on.e_percent)} 听起来很小，但累计占比在最差的区间相差 ${points(on.binned_points)}，未命中率在最差的缓存大小相差 ${points(on.curve_points)}。`,
    );
  return said;
}

export function fullest(rows: { low: number; high: number; count: number }[]): string {
  const most = rows.reduce((best, row) => (row.count > best.count ? row : best), { low: 0, high: 0, count: 0 });
  if (most.low === Infinity) return '首次使用';
  return most.low === most.high ? `距离 ${count(most.low)}` : `距离 ${count(most.low)} 至 ${count(most.high)}`;
}
