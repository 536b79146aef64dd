// A step of the model `gpu`: where the access was served and why, and the state of the L1, the MSHRs and the warps before it.

import { arrayNames } from '../../../app/store';
import { w } from '../../../content/why';
import { wg } from '../../../content/why-gpu';
import type { GpuWhyReport, GpuWhyStep } from '../../../engine/types';
import { CheckButton, Checked } from './checked';
import { ROWS, Table } from './table';

export function GpuShown({ report, step }: { report: GpuWhyReport; step: GpuWhyStep }) {
  const array = report.arrays[step.array ?? -1];
  const name = array ? (arrayNames.value[array.base] ?? array.name) : '';
  const line = step.lines[step.focus];
  const kind = report.instructions[step.instruction - 1]?.kind ?? 'load';
  const misses = kind === 'load' && line !== undefined && step.served !== null && step.served !== 'l1';
  return (
    <>
      <div class="why-now" aria-live="polite">
        <p>{wg.headline(step, name, report.instructions[step.instruction - 1])}</p>
        <p>
          <strong class={`outcome of-${wg.colour(step)}`}>{wg.outcome(step)}</strong> {wg.served(step)}
        </p>
        <p>
          {wg.cause(step, report)} {wg.remedy(step, report)}
        </p>
        <Checked report={report} step={step} whatIf={(list) => wg.whatIf(list as GpuWhyReport['what_if'])} />
      </div>
      <CheckButton report={report} step={step} asks={misses} />
      <div class="why-tables">
        <Lines step={step} />
        {step.in_l1 && <Set report={report} step={step} />}
        <Flight report={report} step={step} />
        <Warps step={step} />
      </div>
      <p class="quiet">{w.warpHint}</p>
    </>
  );
}

function Lines({ step }: { step: GpuWhyStep }) {
  const rows = step.lines.slice(0, ROWS).map((line, i) => ({
    cells: [
      <code key="line">{line.line}</code>,
      String(line.sectors),
      String(line.l1),
      String(line.l2),
      String(line.dram),
    ],
    class: i === step.focus ? 'asked' : '',
  }));
  const columns = [w.line, wg.sectors, 'L1', 'L2', 'DRAM'];
  return <Table caption={wg.lines(step)} columns={columns} rows={rows} count={step.lines.length} none="" />;
}

function Set({ report, step }: { report: GpuWhyReport; step: GpuWhyStep }) {
  const asked = step.lines[step.focus];
  const at = step.stack.findIndex((way) => way.line === asked?.line);
  const place = (i: number) => String(i === at ? (step.stack_at ?? i) : i);
  const rows = step.stack.slice(0, Math.max(ROWS, at + 1)).map((way, i) => ({
    cells: [place(i), <code key="line">{way.line}</code>, String(way.sectors), wg.there(way.arrives)],
    class: i === at ? 'asked' : '',
  }));
  const columns = [w.place, w.line, wg.sectors, w.state];
  const caption = wg.stack(asked?.set ?? 0, report.sets);
  return <Table caption={caption} columns={columns} rows={rows} count={step.stack_count} none={w.stackNone} />;
}

function Flight({ report, step }: { report: GpuWhyReport; step: GpuWhyStep }) {
  const rows = step.pending.slice(0, ROWS).map((one) => ({
    cells: [<code key="line">{one.line}</code>, String(one.due)],
    class: one.line === step.lines[step.focus]?.line ? 'asked' : '',
  }));
  const caption = wg.flight(step.busy_mshrs, report.mshrs);
  return (
    <Table
      caption={caption}
      columns={[w.line, wg.arrives]}
      rows={rows}
      count={step.pending_count}
      none={w.flightNone}
    />
  );
}

function Warps({ step }: { step: GpuWhyStep }) {
  const others = step.warps.slice(0, ROWS - 1).map((warp, i) => ({
    cells: [w.warpName(warp), wg.waits(warp, step.waits[i] ?? '')],
  }));
  const rows = [{ cells: [w.warpName(step), w.now], class: 'asked' }, ...others];
  const columns = [w.warp, wg.waitsFor];
  return <Table caption={wg.queue} columns={columns} rows={rows} count={1 + step.warp_count} none="" />;
}
