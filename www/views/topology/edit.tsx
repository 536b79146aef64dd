// A topology as a form. Every change is validated by the engine; its messages stand beside the field that they name.

import { useState } from 'preact/hooks';
import { save } from '../../app/output';
import { openFiles } from '../../app/sources';
import { openTab } from '../../app/tabs';
import { isPageError } from '../../engine/lost';
import { ask } from '../../engine/topology/engine';
import { KeptInput } from '../../components/kept-input';
import { Folded } from '../../components/section';
import { t } from '../../content/topology';
import type { FactRow, TopologyView } from '../../engine/topology/types';
import type { Diagnostic } from '../../engine/types';
import { fieldText, fieldValue } from './numbers';
import { messagesOf, withPlace, type Json } from './pure';
import { holdEdited, safely } from './state';

const STATUSES = ['official', 'measured', 'assumed'] as const;
const CACHES = ['l1', 'texture', 'read_only', 'constant_l1', 'constant_l1_5', 'scalar_l1', 'l2', 'l3'];
const KEYS = ['bytes', 'line_bytes', 'fetch_bytes', 'ways', 'hit_cycles', 'instances', 'mshrs'];
/** The only value of a board that nothing is inherited for. */
const CARVE_OUT = 'board.carve_out_bytes';
const NAMES = ['name', 'id', 'vendor'] as const;

interface Fact {
  value: unknown;
  status: string;
  source: string;
}

const withPart = ({ value, status, source }: FactRow, part: Partial<Fact>): Fact => ({
  value,
  status,
  source,
  ...part,
});
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

export function Edit({ view }: { view: TopologyView }) {
  const [draft, setDraft] = useState<Json>(() => JSON.parse(view.json) as Json);
  const [facts, setFacts] = useState<FactRow[]>(view.facts);
  const [said, setSaid] = useState<Diagnostic[]>([]);
  const [right, setRight] = useState(view);

  const change = (next: Json, rows = facts) =>
    safely(async () => {
      setDraft(next);
      setFacts(rows);
      try {
        const checked = await ask((r) => r.read('edited', JSON.stringify(next)));
        setSaid(checked.diagnostics);
        setRight(checked);
        setFacts(checked.facts);
        holdEdited(checked);
      } catch (error) {
        if (!isPageError(error)) throw error;
        setSaid(error.diagnostics);
      }
    });
  const put = (row: FactRow, part: Partial<Fact>) => {
    const fact = withPart(row, part);
    const rows = facts.map((r) => (r.path === row.path ? ({ ...r, ...fact } as FactRow) : r));
    return change(withPlace(draft, row.path, fact), rows);
  };
  const errors = said.filter((d) => d.severity === 'error');
  const fields = [...NAMES, ...facts.map((row) => row.path)];
  const elsewhere = errors.filter((d) => !fields.some((path) => messagesOf([d], path).length > 0));
  const ofCaches = CACHES.flatMap((cache) => KEYS.map((key) => `${cache}.${key}`));
  const free = [...ofCaches, ...right.inherited.map((row) => row.path), CARVE_OUT].filter(
    (path) => !facts.some((row) => row.path === path),
  );
  const add = (path: string) => {
    const value = right.inherited.find((row) => row.path === path)?.value ?? 64;
    return change(withPlace(draft, path, { value, status: 'assumed', source: t.edit.added }));
  };

  return (
    <Folded title={t.edit.heading} hint={t.edit.hint} class="edit" name="edit">
      <p class="buttons">
        <button type="button" onClick={() => save(`${right.id}.topology.json`, 'application/json', right.json)}>
          {t.edit.save}
        </button>
        <button type="button" onClick={() => void useInCache(right)}>
          {t.edit.use}
        </button>
      </p>
      <details>
        <summary>{t.edit.open}</summary>
        <p role="status" class={errors.length > 0 ? 'mismatch' : 'quiet'} data-testid="validity">
          {errors.length > 0 ? t.edit.wrong(errors.length) : t.edit.right}
        </p>
        <Names draft={draft} said={said} onChange={(name) => void change({ ...draft, ...name })} />
        {facts.map((row) => (
          <Field
            key={row.path}
            row={row}
            said={messagesOf(said, row.path)}
            onPut={(part) => void put(row, part)}
            onRemove={() => void change(withPlace(draft, row.path, undefined))}
          />
        ))}
        {elsewhere.map((d) => (
          <Messages key={d.expected} list={[d]} />
        ))}
        <AddPlace free={free} onAdd={(path) => void add(path)} />
      </details>
    </Folded>
  );
}

interface NamesProps {
  draft: Json;
  said: Diagnostic[];
  onChange: (name: Json) => void;
}

function Names({ draft, said, onChange }: NamesProps) {
  return (
    <div class="edit-names">
      {NAMES.map((key) => (
        <div class="field" key={key}>
          <label for={`edit-${key}`}>{t.edit[key]}</label>
          <KeptInput
            id={`edit-${key}`}
            value={textOf(draft[key])}
            onChange={(e) => onChange({ [key]: e.currentTarget.value })}
          />
          <Messages list={messagesOf(said, key)} />
        </div>
      ))}
    </div>
  );
}

function AddPlace({ free, onAdd }: { free: string[]; onAdd: (path: string) => void }) {
  return (
    <div class="field edit-add">
      <label for="edit-add">{t.edit.add}</label>
      <select id="edit-add" value="" onChange={(e) => e.currentTarget.value && onAdd(e.currentTarget.value)}>
        <option value="">{t.edit.choose}</option>
        {free.map((path) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FieldProps {
  row: FactRow;
  said: Diagnostic[];
  onPut: (part: Partial<Fact>) => void;
  onRemove: () => void;
}

function Field({ row, said, onPut, onRemove }: FieldProps) {
  const label = t.edit.field(row.part, row.label, row.unit);
  const id = `edit-${row.path.replace('.', '-')}`;
  return (
    <div class={`edit-row${said.some((d) => d.severity === 'error') ? ' wrong' : ''}`} role="group" aria-label={label}>
      <label for={id}>{label}</label>
      <KeptInput
        id={id}
        value={fieldText(row.value)}
        aria-invalid={said.some((d) => d.severity === 'error')}
        aria-describedby={said.length > 0 ? `${id}-said` : undefined}
        onChange={(e) => onPut({ value: fieldValue(row.path, e.currentTarget.value) })}
      />
      <select
        aria-label={t.edit.statusOf(label)}
        value={row.status}
        onChange={(e) => onPut({ status: e.currentTarget.value })}
      >
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {t.look.statuses[status]}
          </option>
        ))}
      </select>
      <KeptInput
        aria-label={t.edit.sourceOf(label)}
        value={row.source}
        onChange={(e) => onPut({ source: e.currentTarget.value })}
      />
      <button
        type="button"
        class="quiet-button"
        aria-label={t.edit.removeOf(label)}
        title={t.edit.remove}
        onClick={onRemove}
      >
        ×
      </button>
      <Messages id={`${id}-said`} list={said} />
    </div>
  );
}

function Messages({ list, id }: { list: Diagnostic[]; id?: string }) {
  if (list.length === 0) return null;
  return (
    <p id={id} class="edit-said">
      {list
        .map(({ expected, ...d }) => t.edit.problem({ ...d, expected: expected.replace(/^`[^`]*`: /, '') }))
        .join(' ')}
    </p>
  );
}

/** Hands the topology to the Cache tab as the dropped file that it would be. */
async function useInCache(view: TopologyView) {
  openTab('cache');
  await openFiles([new File([view.json], `${view.id}.topology.json`, { type: 'application/json' })]);
}
