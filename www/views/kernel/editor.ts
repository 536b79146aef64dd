// The editor of CUDA text: CodeMirror in a shadow root, where its style sheets need no inline <style>.

import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { cpp } from '@codemirror/lang-cpp';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic as Lint } from '@codemirror/lint';
import { Annotation, EditorState, RangeSet, StateEffect, StateField, type Range } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  gutter,
  GutterMarker,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Diagnostic } from '../../engine/types';

/** What stands beside a line; `weight` is its share of the largest. */
export interface Mark {
  line: number;
  text: string;
  title: string;
  weight: number;
}

export interface Editor {
  setText(text: string): void;
  setMarks(marks: Mark[]): void;
  setProblems(list: Diagnostic[]): void;
  goTo(line: number): void;
  /** Gives what another editor can go on from: the text, the caret, and what can be undone. */
  destroy(): EditorState;
}

interface Options {
  label: string;
  marksLabel: string;
  /** What an editor before this one left; null where there was none. */
  before: EditorState | null;
  /** What the first editor begins with. */
  text: string;
  /** Told what is typed, pasted or undone, but not what came by `setText`. It has to outlive the editor. */
  onChange: (text: string) => void;
  onRun: () => void;
}

class MissMarker extends GutterMarker {
  constructor(private readonly mark: Mark) {
    super();
  }

  override eq(other: GutterMarker) {
    return other instanceof MissMarker && other.mark.text === this.mark.text && other.mark.weight === this.mark.weight;
  }

  override toDOM() {
    const box = document.createElement('span');
    box.className = 'miss';
    box.title = this.mark.title;
    const bar = document.createElement('span');
    bar.className = 'miss-bar';
    bar.style.width = `${Math.round(100 * this.mark.weight)}%`;
    const text = document.createElement('span');
    text.className = 'miss-count';
    text.textContent = this.mark.text;
    box.append(bar, text);
    return box;
  }
}

const putMarks = StateEffect.define<RangeSet<GutterMarker>>();

/** Marks belong to the text that was run: they go when it changes. */
const marksField = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(marks, change) {
    for (const effect of change.effects) if (effect.is(putMarks)) return effect.value;
    return change.docChanged ? RangeSet.empty : marks;
  },
});

/** Marks a change that came by `setText`. */
const fromOutside = Annotation.define<boolean>();

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--code-type)' },
  { tag: [tags.number, tags.bool], color: 'var(--code-number)' },
  { tag: [tags.string, tags.character], color: 'var(--code-string)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.processingInstruction, tags.macroName], color: 'var(--code-macro)' },
]);

const look = EditorView.theme({
  '&': { fontSize: '0.8125rem', color: 'var(--text)', backgroundColor: 'var(--card)', maxHeight: '70vh' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunk)', color: 'var(--quiet)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 55%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft) !important', outline: '1px solid var(--line-strong)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--card)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    maxWidth: '32rem',
  },
  '.cm-misses': { minWidth: '5rem' },
  '.miss': {
    position: 'relative',
    display: 'block',
    padding: '0 0.375rem',
    textAlign: 'right',
    color: 'var(--text)',
    fontVariantNumeric: 'tabular-nums',
  },
  '.miss-count': { position: 'relative' },
  '.miss-bar': {
    position: 'absolute',
    inset: '2px auto 2px 0',
    backgroundColor: 'var(--capacity)',
    opacity: '0.35',
    borderRadius: '0 3px 3px 0',
  },
});

/**
 * A character that takes the place of a selection. Left to itself, Chromium gives it the looks of what was selected, in an inline style, which the
 * page's policy refuses.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const plain = event.inputType === 'insertText' && event.cancelable && !event.isComposing;
    if (!plain || event.data === null || view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

/** Scrollable by keyboard, so it must have a name as well. */
function nameScroller(scroller: HTMLElement, name: string) {
  scroller.tabIndex = 0;
  scroller.setAttribute('role', 'group');
  scroller.setAttribute('aria-label', name);
}

export function createEditor(host: HTMLElement, { label, marksLabel, before, text, onChange, onRun }: Options): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const extensions = [
    lineNumbers(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('    '),
    bracketMatching(),
    highlightActiveLine(),
    lintGutter(),
    cpp(),
    syntaxHighlighting(colours),
    look,
    marksField,
    typedOver,
    gutter({ class: 'cm-misses', markers: (view) => view.state.field(marksField) }),
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: 'false',
      autocorrect: 'off',
      autocapitalize: 'off',
    }),
    keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }, ...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of(({ state, transactions }) => {
      const own = transactions.some((change) => change.docChanged && !change.annotation(fromOutside));
      if (own) onChange(state.doc.toString());
    }),
  ];
  const view = new EditorView({ state: before ?? EditorState.create({ doc: text, extensions }), parent: root, root });
  nameScroller(view.scrollDOM, marksLabel);
  const lineAt = (line: number) => view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
  return {
    setText(next) {
      const now = view.state.doc.toString();
      if (now === next) return;
      // Only what differs is replaced, so that the caret stays in the rest.
      let from = 0;
      while (from < Math.min(now.length, next.length) && now[from] === next[from]) from++;
      let after = 0;
      const most = Math.min(now.length, next.length) - from;
      while (after < most && now[now.length - 1 - after] === next[next.length - 1 - after]) after++;
      view.dispatch({
        changes: { from, to: now.length - after, insert: next.slice(from, next.length - after) },
        scrollIntoView: true,
        // One undo brings the text before it back.
        annotations: [isolateHistory.of('full'), fromOutside.of(true)],
      });
    },
    setMarks(marks) {
      const ranges: Range<GutterMarker>[] = marks
        .filter(({ line }) => line >= 1 && line <= view.state.doc.lines)
        .map((mark) => new MissMarker(mark).range(lineAt(mark.line).from));
      view.dispatch({ effects: putMarks.of(RangeSet.of(ranges, true)) });
    },
    setProblems(list) {
      const lints: Lint[] = list.flatMap(({ line, severity, expected, found, help }) => {
        if (line === null || line < 1 || line > view.state.doc.lines) return [];
        const { from, to } = lineAt(line);
        const kind = severity === 'note' ? 'info' : severity;
        return [{ from, to, severity: kind, message: `expected ${expected}; found ${found}. ${help}` }];
      });
      view.dispatch(setDiagnostics(view.state, lints));
    },
    goTo(line) {
      view.dispatch({
        selection: { anchor: lineAt(line).from },
        effects: EditorView.scrollIntoView(lineAt(line).from, { y: 'center' }),
      });
      view.focus();
    },
    destroy() {
      view.destroy();
      return view.state;
    },
  };
}
