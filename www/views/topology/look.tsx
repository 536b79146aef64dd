// Look at a GPU: its hierarchy, its values, what was measured, another one beside it; change it and save it.

import { useEffect, useState } from 'preact/hooks';
import { presets } from '../../app/store';
import { Drawing } from '../../components/drawing';
import { OpenButton } from '../../components/file-input';
import { FoldAll, Section } from '../../components/section';
import { say } from '../../content/messages';
import { t } from '../../content/topology';
import { ask } from '../../engine/topology/engine';
import type { Difference, TopologyView } from '../../engine/topology/types';
import { Edit } from './edit';
import { MeasuredView } from './measured';
import {
  chooseFirst,
  chooseSecond,
  editBase,
  firstId,
  held,
  HELD,
  measured,
  missing,
  need,
  safely,
  secondId,
  viewOf,
} from './state';
import { Comparison, FactTable, Values } from './values';

export function LookSetup() {
  return (
    <section class="panel" aria-labelledby="look-title">
      <h2 id="look-title">{t.look.heading}</h2>
      <div class="field">
        <label for="topology-first">{t.look.first}</label>
        <select id="topology-first" value={firstId.value} onChange={(e) => chooseFirst(e.currentTarget.value)}>
          <Choices />
        </select>
      </div>
      <div class="field">
        <label for="topology-second">{t.look.second}</label>
        <select id="topology-second" value={secondId.value ?? ''} onChange={(e) => chooseSecond(e.currentTarget.value)}>
          <option value="">{t.look.nobody}</option>
          <Choices />
        </select>
      </div>
      <div class="drop-zone">
        <OpenButton>{t.look.open}</OpenButton>
        <p class="quiet formats">{t.look.drop}</p>
      </div>
    </section>
  );
}

function Choices() {
  return (
    <>
      {HELD.filter((id) => held.value[id]).map((id) => (
        <option key={id} value={id}>{`${held.value[id]!.name} (${t.look.held[id]})`}</option>
      ))}
      {presets.map((p) => (
        <option key={p.id} value={p.id}>
          {p.name}
        </option>
      ))}
    </>
  );
}

export function Look() {
  const [first, second] = [viewOf(firstId.value), viewOf(secondId.value)];
  const [rows, setRows] = useState<Difference[]>([]);
  useEffect(() => {
    void need(firstId.value);
    void need(secondId.value);
  }, [firstId.value, secondId.value]);
  useEffect(() => {
    if (!first || !second) return setRows([]);
    void safely(async () => setRows(await ask((r) => r.compare(first.json, second.json))));
  }, [first?.json, second?.json]);
  if (missing.value) return <p class="card">{t.look.gone}</p>;
  if (!first) return null;
  return (
    <>
      <div class={second ? 'side-by-side' : undefined}>
        <Hierarchy view={first} />
        {second && <Hierarchy view={second} />}
      </div>
      <FoldAll />
      {second && rows.length > 0 ? <Comparison first={first} second={second} rows={rows} /> : <Values view={first} />}
      {measured.value && (firstId.value === 'file' || !measured.value.topology) && (
        <MeasuredView measured={measured.value} />
      )}
      <Edit key={editKey()} view={first} />
    </>
  );
}

/** Another GPU has another form; an edit of the same one keeps it. */
function editKey(): string {
  const base = firstId.value === 'edited' ? editBase.value : firstId.value;
  return `${base} ${viewOf(base)?.json ?? ''}`;
}

export function Hierarchy({ view }: { view: TopologyView }) {
  return (
    <Section title={t.look.diagramOf(view.name)} hint={t.look.diagramHint} class="hierarchy">
      <Drawing
        draw={(look) => ask((r) => r.figure('hierarchy', view.json, look))}
        of={[view.json]}
        name={`${view.id}-hierarchy`}
        label={`${t.look.diagramOf(view.name)}: ${say(view.summary)}`}
        table={<FactTable view={view} caption={t.look.diagramOf(view.name)} />}
      />
    </Section>
  );
}
