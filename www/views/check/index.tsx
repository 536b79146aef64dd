// The self-check: the papers' tables and figures, recomputed, with the differences.

import { useEffect } from 'preact/hooks';
import { save } from '../../app/output';
import { CrashCard } from '../../components/crash-card';
import { ProgressBar, useEscape } from '../../components/progress-bar';
import { Section } from '../../components/section';
import { Segments } from '../../components/segments';
import * as store from '../../app/store';
import { say } from '../../content/messages';
import { p } from '../../content/papers';
import type { PaperOutline, PaperResult } from '../../engine/types';
import '../../styles/papers.css';
import { Row } from './row';
import * as state from './state';

export default function CheckTab() {
  useEffect(() => void state.load(), []);
  useEscape(() => state.run.value !== null, state.cancel);
  const papers = [...new Set(state.rows.value.map((row) => row.paper))];
  const shown = state.rows.value.filter(isShown);
  return (
    <div class="columns papers">
      <aside class="setup" aria-label={p.setup}>
        <Setup />
      </aside>
      <main id="result" tabIndex={-1}>
        <p class="intro">{p.intro(state.run.value !== null, state.results.value.size, state.rows.value.length)}</p>
        {store.crash.value && <CrashCard crash={store.crash.value} />}
        <Progress />
        {state.rows.value.length > 0 && shown.length === 0 && <p class="quiet">{p.none}</p>}
        {papers.map((paper) => (
          <Paper key={paper} rows={shown.filter((row) => row.paper === paper)} />
        ))}
      </main>
    </div>
  );
}

function isShown(row: PaperOutline): boolean {
  const result = state.results.value.get(row.id);
  if (state.filter.value === 'red') return result?.red === true;
  if (state.filter.value === 'differs') return result !== undefined && result.verdict !== 'exact';
  return true;
}

function Progress() {
  const now = state.run.value;
  if (!now) return null;
  const part = [...state.running.value.values()].reduce((sum, share) => sum + share, 0);
  return (
    <ProgressBar
      testId="papers-progress"
      label={p.working}
      done={now.done + part}
      total={now.all}
      cancelling={state.cancelling.value}
      onCancel={state.cancel}
    >
      {p.rows(now.done, now.all)}
    </ProgressBar>
  );
}

function Setup() {
  const report = state.report.value;
  const some = state.results.value.size > 0;
  const busy = state.run.value !== null;
  return (
    <section class="panel">
      <p class="buttons">
        <button
          type="button"
          class="primary"
          disabled={busy || state.rows.value.length === 0}
          onClick={() => void state.start()}
        >
          {some ? p.again : p.run}
        </button>
      </p>
      {report && <Totals report={report} />}
      {state.outcome.value && <p data-testid="papers-outcome">{state.outcome.value}</p>}
      <Segments
        name="papers-show"
        legend={p.show}
        ids={state.FILTERS}
        labels={p.filters}
        value={state.filter.value}
        set={state.setFilter}
        class="modes"
      />
      <p class="buttons">
        <button
          type="button"
          disabled={!some}
          onClick={() => void state.json().then((json) => save('warpscope-check.json', 'application/json', json))}
        >
          {p.json}
        </button>
        <button
          type="button"
          disabled={!some}
          onClick={() => void state.csv().then((csv) => save('warpscope-check.csv', 'text/csv', csv))}
        >
          {p.csv}
        </button>
      </p>
      <p class="quiet">
        {p.terminal} <code>{p.command}</code>
      </p>
      <details>
        <summary>{p.words}</summary>
        <dl class="meaning">
          {p.meaning.map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function Totals({ report: { totals } }: { report: NonNullable<typeof state.report.value> }) {
  return (
    <p data-testid="papers-totals">
      {p.totals(totals.exact, totals.differs, totals.cannot, totals.red)}{' '}
      {totals.unexpected > 0 && <strong class="bad">{p.unexpected(totals.unexpected)}</strong>}
    </p>
  );
}

function Paper({ rows }: { rows: PaperOutline[] }) {
  const [first] = rows;
  if (!first) return null;
  const known = (row: PaperOutline): PaperResult | undefined => state.results.value.get(row.id);
  return (
    <Section title={say(first.title)}>
      <ul class="paper-rows">
        {rows.map((row) => (
          <Row key={row.id} row={row} result={known(row)} />
        ))}
      </ul>
    </Section>
  );
}
