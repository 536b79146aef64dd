// The state before a step: the stack of the line's set, the requests in flight and the warp queue.

import { w } from '../../../content/why';
import type { WhyReport, WhyStep } from '../../../engine/types';
import { ROWS, Table } from './table';

export function Tables({ report, step }: { report: WhyReport; step: WhyStep }) {
  return (
    <>
      <div class="why-tables">
        <Stack report={report} step={step} />
        <InFlight report={report} step={step} />
        <Queue step={step} />
      </div>
      <p class="quiet">{w.warpHint}</p>
    </>
  );
}

function Stack({ report, step }: { report: WhyReport; step: WhyStep }) {
  const at = step.stack.indexOf(step.line);
  // The asked line is in sight, and what holds its place in the cache.
  const length = Math.min(step.stack.length, Math.max(ROWS, at + 1));
  const rows = step.stack.slice(0, length).map((line, i) => ({
    cells: [
      String(i),
      <code key="line">{line}</code>,
      [i === at && w.wanted, i < report.ways ? w.inside : w.outside].filter(Boolean).join(', '),
    ],
    class: [i === at && 'asked', i >= report.ways && 'outside'].filter(Boolean).join(' '),
  }));
  const columns = [w.place, w.line, w.state];
  return (
    <Table caption={w.stack(step.set)} columns={columns} rows={rows} count={step.stack_lines} none={w.stackNone} />
  );
}

function InFlight({ report, step }: { report: WhyReport; step: WhyStep }) {
  const rows = step.pending.slice(0, ROWS).map((one) => ({
    cells: [<code key="line">{one.line}</code>, String(one.due), one.mshr ? w.yes : w.no],
    class: one.line === step.line ? 'asked' : '',
  }));
  const caption = w.flight(step.busy_mshrs, report.mshrs);
  const columns = [w.line, w.arrives, w.holds];
  return <Table caption={caption} columns={columns} rows={rows} count={step.pending_count} none={w.flightNone} />;
}

function Queue({ step }: { step: WhyStep }) {
  const behind = step.warps.slice(0, ROWS - 1).map((warp) => ({
    cells: [w.warpName(warp), warp.until === null ? w.next : w.until(warp.until)],
  }));
  const rows = [{ cells: [w.warpName(step), w.now], class: 'asked' }, ...behind];
  const all = 1 + step.ready_count + step.waiting_count;
  return <Table caption={w.queue} columns={[w.warp, w.state]} rows={rows} count={all} none="" />;
}
