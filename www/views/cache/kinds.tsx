// The classes twice: attributed miss by miss, and by the paper's four runs.

import { outcomeName, OUTCOMES } from '../../components/class-bar';
import { Folded } from '../../components/section';
import { Term } from '../../components/term';
import { count, percent1, share, signed } from '../../content/format';
import { className, s } from '../../content/strings';
import type { KernelReport } from '../../engine/types';

export function Kinds({ kernel }: { kernel: KernelReport }) {
  const { misses, differential, requests } = kernel;
  return (
    <Folded title={s.kinds.heading} hint={differential ? s.kinds.note : s.kinds.noDifferential} name="kinds">
      <div class="table-scroll" role="group" aria-label={s.kinds.heading} tabIndex={0}>
        <table class="narrow">
          <caption class="unseen">{s.kinds.heading}</caption>
          <thead>
            <tr>
              <th scope="col">{s.kinds.kind}</th>
              <th scope="col" class="number">
                <Term id="attributed">{s.kinds.attributed}</Term>
              </th>
              <th scope="col" class="number">
                {s.kinds.share}
              </th>
              {differential && (
                <th scope="col" class="number">
                  <Term id="differential">{s.kinds.differential}</Term>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {OUTCOMES.map((o) => {
              const n = o === 'hits' ? kernel.hits : misses[o];
              return (
                <tr key={o}>
                  <th scope="row">
                    <span class={`swatch ${o}`} aria-hidden="true" /> {outcomeName(o)}
                  </th>
                  <td class="number">{count(n)}</td>
                  <td class="number">{percent1(share(n, requests))}</td>
                  {differential && <td class="number">{o === 'hits' ? '' : signed(differential[o])}</td>}
                </tr>
              );
            })}
            <tr class="total">
              <th scope="row">{s.kinds.total}</th>
              <td class="number">{count(requests)}</td>
              <td class="number" />
              {differential && <td />}
            </tr>
            <tr>
              <th scope="row">
                <Term id="mshr_class">{className.mshr}</Term>
              </th>
              <td class="number">{signed(misses.mshr)}</td>
              <td class="number">{percent1(share(misses.mshr, requests))}</td>
              {differential && <td class="number">{signed(differential.mshr)}</td>}
            </tr>
          </tbody>
        </table>
      </div>
    </Folded>
  );
}
