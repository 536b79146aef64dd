// What a kernel asks for and moves, in Chinese.

import type { Work, WorkAdvice } from '../../engine/types';
import { perInstruction } from '../shares';
import { bytes, count, mean } from './format';

const NEAR = 1.02;

/** `asks` has the words before the number and after it. */
export function askedSentence(w: Work, asks: [string, string]): string {
  if (w.loads.instructions === 0) return '没有加载经过 L1。';
  const each = perInstruction(w.loads);
  const [asked, least] = [mean(each.asked), mean(each.least)];
  const beside = asked === least ? '，已是最少' : `；${least} 个即可`;
  return `加载${asks[0]} ${count(w.loads.requests)} ${asks[1]}，每次 ${asked} 个${beside}。`;
}

export function besideLeast(w: Work, moved: number, what: string): string {
  const least = w.least_bytes;
  if (moved < least || least === 0) return what;
  if (moved <= NEAR * least) return `${what}，${moved === least ? '已是最少' : '接近最少'}`;
  return `${what}；${bytes(least)} 即可`;
}

export function workSentence(w: Work): string {
  const asked = askedSentence(w, ['发出', '个请求']);
  if (w.loads.instructions === 0) return asked;
  return `${asked}${besideLeast(w, w.l1_bytes, `${bytes(w.l1_bytes)} 进入 L1`)}。`;
}

export function advice(w: Work): string {
  const a = w.advice;
  const where = a.array === null ? '' : `，多数在“${a.array.name}”中`;
  const times = a.factor < 1.95 ? `${a.factor.toFixed(1)} 次` : `${mean(a.factor)} 次`;
  switch (a.cause) {
    case 'idle':
      return '';
    case 'coalescing':
      return coalescing(w, a);
    case 'sharing_in_block':
      return a.of === 'atomics'
        ? `共享：同一线程块的线程反复修改相同的字（每个 ${times}${where}）。在共享内存中累加，每个线程块只修改一次全局内存。`
        : `共享：同一线程块的线程反复加载相同的字（每个 ${times}${where}）。把它们以分块形式放入共享内存，或放入寄存器。`;
    case 'sharing_across_blocks':
      return `共享：多个线程块${a.of === 'atomics' ? '修改' : '加载'}相同的字（每个 ${times}${where}）。增大分块，或让每个线程块做更多工作，可以减少请求。`;
    case 'sets':
      return `组：缓存行平均取来 ${times}，因为太多在用的缓存行落在同一组，或者 L1 随机替换了它们（自 Turing 起）。给数组的行加填充、减少在用的缓存行，或增加路数，会有帮助。`;
    case 'capacity':
      return `容量：缓存行平均取来 ${times}，因为两次使用之间用到的缓存行多于 L1 的容量。缩小分块、减少驻留线程块或增大缓存会有帮助。`;
    case 'lost':
      return `L1 取来数据的次数是线程块所需的 ${times.replace(' 次', ' 倍')}。下面的“按类别统计的未命中”说明缺的是容量还是组。`;
    case 'least':
      return w.l1_bytes <= 1.25 * w.least_bytes
        ? '请求数和字节数没有可改进之处：都接近最少。'
        : '没有突出的原因：请求数接近最少，加载超过两次的数据很少。';
  }
}

function coalescing(w: Work, { of, array }: WorkAdvice): string {
  const each = perInstruction(of === 'stores' ? w.stores : w.loads);
  const verb = of === 'stores' ? '存储' : '加载';
  const most = array === null ? '' : `（多数在“${array.name}”中）`;
  if (each.asked <= each.least + 1.05)
    return `合并访问：线程束的一次${verb}触及 ${mean(each.asked)} 个 ${bytes(w.request_bytes)} 的位置，而 ${mean(each.least)} 个就放得下它的字节${most}。让它从 ${bytes(w.request_bytes)} 的倍数开始。`;
  const unit = w.l2_bytes === null ? '请求' : '扇区';
  return `合并访问：同一线程束的线程${verb}的地址相距很远${most}。如果相邻线程取相邻元素，一次${verb}只需 ${mean(each.least)} 个${unit}，而不是 ${mean(each.asked)} 个。`;
}
