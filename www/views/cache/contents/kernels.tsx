// Which kernels are run, and whether the caches stay warm between them.

import { chooseKernels, chooseWarm } from '../../../app/actions';
import { isChosen, withKernel } from '../../../app/scenario';
import { scenario } from '../../../app/store';
import { DataTable, type Column } from '../../../components/data-table';
import { count, dimensions, shortName } from '../../../content/format';
import { g } from '../../../content/gpu';
import { s } from '../../../content/strings';
import type { KernelInfo } from '../../../engine/types';

export function KernelChoice({ kernels }: { kernels: KernelInfo[] }) {
  const chosen = scenario.value.kernels;
  const several = kernels.length > 1;
  const running = kernels.filter((k) => isChosen(chosen, k.number)).length;
  return (
    <section>
      <h3>{s.contents.kernels}</h3>
      {several && (
        <p class="buttons" role="status">
          {s.contents.chosen(running, kernels.length)}
          <button type="button" disabled={chosen.length === 0} onClick={() => void chooseKernels([])}>
            {s.contents.all}
          </button>
        </p>
      )}
      <DataTable
        caption={s.contents.kernels}
        columns={several ? [choice(chosen, kernels.length), ...columns, only] : columns}
        rows={kernels}
      />
      {several && <Warm />}
    </section>
  );
}

function Warm() {
  const { warm, model } = scenario.value;
  const without = model !== 'paper';
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={warm}
          disabled={without}
          aria-describedby="warm-help"
          onChange={(e) => void chooseWarm(e.currentTarget.checked)}
        />
        {s.contents.warm}
      </label>
      <p class="quiet" id="warm-help">
        {model === 'gpu' ? g.warm : without ? s.contents.warmReference : s.contents.warmHelp}
      </p>
    </div>
  );
}

function choice(chosen: number[], all: number): Column<KernelInfo> {
  return {
    key: 'run',
    label: s.contents.run,
    show: (k) => {
      const into = isChosen(chosen, k.number);
      return (
        <input
          type="checkbox"
          checked={into}
          aria-label={s.contents.runOf(k.number, shortName(k.name))}
          onChange={(e) => {
            const next = withKernel(chosen, k.number, e.currentTarget.checked, all);
            // The last one cannot be left out; the box must say so.
            e.currentTarget.checked = isChosen(next, k.number);
            if (next.join() !== chosen.join()) void chooseKernels(next);
          }}
        />
      );
    },
  };
}

const only: Column<KernelInfo> = {
  key: 'only',
  label: s.contents.only,
  show: (k) => (
    <button
      type="button"
      class="link-button"
      aria-label={s.contents.onlyOf(k.number, shortName(k.name))}
      onClick={() => void chooseKernels([k.number])}
    >
      {s.contents.only}
    </button>
  ),
};

const number = (key: string, label: string, value: (k: KernelInfo) => number): Column<KernelInfo> => ({
  key,
  label,
  numeric: true,
  value,
  show: (k) => count(value(k)),
});

const columns: Column<KernelInfo>[] = [
  { key: 'number', label: '#', value: (k) => k.number },
  {
    key: 'name',
    label: s.contents.kernel,
    head: true,
    value: (k) => k.name,
    show: (k) => <span title={k.name}>{shortName(k.name)}</span>,
  },
  { key: 'grid', label: s.contents.grid, show: (k) => dimensions(k.grid) },
  { key: 'block', label: s.contents.block, show: (k) => dimensions(k.block) },
  number('present', s.contents.present, (k) => k.blocks_present),
  number('threads', s.contents.threads, (k) => k.threads),
  number('warps', s.contents.warps, (k) => k.warps),
  number('instructions', s.contents.instructions, (k) => k.instructions),
  number('memory', s.contents.memoryInstructions, (k) => k.memory_instructions),
  { key: 'accesses', label: s.contents.accesses, show: (k) => <Accesses of={k.accesses} /> },
];

function Accesses({ of }: { of: Record<string, number> }) {
  const kinds = Object.entries(of);
  if (kinds.length === 0) return <>{s.contents.noAccesses}</>;
  return (
    <ul class="plain">
      {kinds.map(([kind, n]) => (
        <li key={kind}>
          {s.contents.accessName(kind)} {count(n)}
        </li>
      ))}
    </ul>
  );
}
