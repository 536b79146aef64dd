// One row of the self-check: what it is, its verdict, and when it is opened its values.

import { useState } from 'preact/hooks';
import { DataTable, type Column } from '../../components/data-table';
import { say } from '../../content/messages';
import { p } from '../../content/papers';
import type { PaperOutline, PaperResult, PaperValue } from '../../engine/types';
import * as state from './state';

export function Row({ row, result }: { row: PaperOutline; result: PaperResult | undefined }) {
  const [open, setOpen] = useState<boolean | null>(null);
  // A red row is in sight until a person folds it.
  const isOpen = open ?? result?.red === true;
  return (
    <li class={result?.red ? 'paper-row red' : 'paper-row'} data-row={row.id}>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => currentTarget.open !== isOpen && setOpen(currentTarget.open)}
      >
        <summary>
          <span class="paper-item">{row.item}</span>
          <span class="paper-what">{say(row.what)}</span>
          <Verdict id={row.id} result={result} />
        </summary>
        {isOpen && <Details row={row} result={result} />}
      </details>
    </li>
  );
}

function Verdict({ id, result }: { id: string; result: PaperResult | undefined }) {
  if (state.running.value.has(id)) return <span class="badge">{p.runs}</span>;
  if (!result) return <span class="badge">{p.notRun}</span>;
  const kind = result.red ? 'error' : result.verdict === 'exact' ? 'good' : 'warning';
  const word = p.verdicts[result.verdict];
  return <span class={`badge ${kind}`}>{result.red ? `${word}, ${p.red}` : word}</span>;
}

function Details({ row, result }: { row: PaperOutline; result: PaperResult | undefined }) {
  return (
    <div class="paper-details">
      {result?.because && <p>{say(result.because)}</p>}
      {result && result.values.length > 0 && <Values result={result} />}
      {result && <Bound result={result} />}
      <p class="buttons">
        <button type="button" disabled={state.run.value !== null} onClick={() => void state.startOne(row.id)}>
          {p.runOne}
        </button>
        {result?.link && <a href={`#${result.link}`}>{p.open}</a>}
      </p>
    </div>
  );
}

function Bound({ result: { bound, unit, values } }: { result: PaperResult }) {
  const relative = values.some((value) => value.relative);
  return (
    <p class="quiet">
      {unit && p.unit(unit)} {bound !== null && bound > 0 && p.bound(bound, unit, relative)}
    </p>
  );
}

function Values({ result }: { result: PaperResult }) {
  const difference = (value: PaperValue) => {
    if (value.equal === true) return p.equal;
    if (value.difference !== null) return p.number(value.difference, value.relative);
    return value.equal === false ? p.unequal : '';
  };
  const columns: Column<PaperValue>[] = [
    { key: 'label', label: p.label, head: true, show: (value) => say(value.label) },
    { key: 'published', label: p.published[result.origin], show: (value) => say(value.published) },
    { key: 'ours', label: p.ours, show: (value) => say(value.ours) },
    { key: 'difference', label: p.difference, show: difference },
  ];
  return (
    <DataTable
      caption={p.values(result.item)}
      columns={columns}
      rows={result.values}
      firstPage={30}
      rowClass={(value) => (value.equal === false ? 'unequal' : '')}
    />
  );
}
