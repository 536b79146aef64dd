// The editor with misses beside its lines.

import type { EditorState } from '@codemirror/state';
import { useEffect, useRef } from 'preact/hooks';
import { diagnostics, kernelRun, outcome, result, scenario } from '../../app/store';
import { Section } from '../../components/section';
import { bytes, count, percent1, share } from '../../content/format';
import { g, l2Sectors, SECTOR, time } from '../../content/gpu';
import { k } from '../../content/kernel';
import { outright } from '../../content/shares';
import { createEditor, type Editor, type Mark } from './editor';
import type { LevelLine, LineRow } from './lines';
import {
  base,
  current,
  draft,
  edit,
  isTried,
  levelLines,
  line,
  lines,
  run,
  shown,
  shownTimes,
  unfinished,
  written,
} from './state';

/** Misses beside the lines. */
function missMarks(rows: LineRow[]): Mark[] {
  const all = rows.reduce((sum, row) => sum + outright(row), 0);
  const most = rows.reduce((max, row) => Math.max(max, outright(row)), 1);
  return rows.map((row) => {
    const misses = outright(row);
    const part = percent1(share(misses, all));
    return {
      line: row.line,
      text: count(misses),
      title: k.code.mark(misses, part, row.requests),
      weight: misses / most,
    };
  });
}

/** Bytes between the cores and the L2 beside the lines. */
function levelMarks(rows: LevelLine[]): Mark[] {
  const all = rows.reduce((sum, row) => sum + l2Sectors(row), 0);
  const most = rows.reduce((max, row) => Math.max(max, l2Sectors(row)), 1);
  return rows.map((row) => {
    const moved = l2Sectors(row);
    const title = g.rows.mark(moved, percent1(share(moved, all)), row.requests);
    return { line: row.line, text: bytes(SECTOR * moved), title, weight: moved / most };
  });
}

/** What the editor held when the tab was left. What was typed in it can still be undone. */
let left: EditorState | null = null;

export function Code() {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const now = shown.value;
  useEffect(() => {
    const made = createEditor(host.current!, {
      label: k.code.label,
      marksLabel: k.code.marks,
      before: left,
      text: draft.peek()?.text ?? '',
      onChange: edit,
      onRun: () => void run(),
    });
    editor.current = made;
    // At once: between the signal and an effect of the next frame a key would come first, and write over the new text.
    const end = written.subscribe(() => made.setText(draft.peek()?.text ?? ''));
    return () => {
      end();
      left = made.destroy();
    };
  }, []);
  useEffect(() => {
    const marks = levelLines.value.length > 0 ? levelMarks(levelLines.value) : missMarks(lines.value);
    editor.current?.setMarks(marks);
  }, [lines.value, levelLines.value, now?.text]);
  useEffect(() => {
    const told = [...(kernelRun.value?.diagnostics ?? []), ...diagnostics.value].filter((d) => d.file === now?.name);
    editor.current?.setProblems(base.value?.text === now?.text || !current.value ? told : []);
  }, [diagnostics.value, kernelRun.value, now?.name]);
  useEffect(() => {
    if (line.value > 0 && now) editor.current?.goTo(line.value);
  }, [line.value, now?.name]);
  const times = shownTimes.value;
  // The figures are of the model that ran; while nothing ran, of the one that will.
  const model = (result.value?.report ?? scenario.value).model;
  const hint = (
    <>
      {k.code.hint(model === 'gpu')} <span class="for-keys">{k.code.keys}</span>
    </>
  );
  return (
    <Section title={now?.name ?? k.code.heading} hint={hint} class="code">
      <div class="editor" ref={host} data-testid="editor" />
      <p class="quiet" role="status">
        {times && (
          <strong data-testid="kernel-time">
            {k.code.time(time(times.now), times.before === null ? null : time(times.before))}
          </strong>
        )}{' '}
        {!current.value
          ? outcome.value !== '' && isTried()
            ? k.code.refused
            : k.code.changed
          : unfinished.value
            ? diagnostics.value.some((d) => d.severity === 'error')
              ? k.code.broken
              : k.code.unfinished
            : lines.value.length + levelLines.value.length > 0 && k.code.marked}
      </p>
    </Section>
  );
}
