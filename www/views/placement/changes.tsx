// Other changes of the text beside the placements: `__restrict__`, `__ldg`, padding and other blocks.

import { useEffect, useState } from 'preact/hooks';
import { setView } from '../../app/tabs';
import { type Column, DataTable } from '../../components/data-table';
import { Folded } from '../../components/section';
import { say } from '../../content/messages';
import { percent } from '../../content/format';
import { p } from '../../content/placement';
import type { ChangedText, PlaceChange, PlacePrepared } from '../../engine/placement/types';
import { guarded, tryChanges } from './actions';
import { fastest, placementOf, ranOf, recommendedOf, sameChange } from './changed';
import { activity, changes, engine, generation, provisional, settings } from './state';
import { TextToCopy } from './text-to-copy';

/** A change that saves less is not worth a sentence. */
const LEAST_GAIN = 0.01;

export function Changes({ prepared }: { prepared: PlacePrepared }) {
  const found = changes.value;
  if (!prepared.changeable) return null;
  const busy = activity.value !== null;
  return (
    <Folded
      title={p.changes.heading}
      hint={p.changes.hint}
      name="changes"
      begins={settings.value.changes}
      class="changes"
    >
      {!found?.finished && (
        <p class="buttons">
          <button
            type="button"
            disabled={busy || provisional.value}
            onClick={() => (settings.value.changes ? void tryChanges() : setView('placement.changes', '1'))}
          >
            {found ? p.changes.goOn : p.changes.start}
          </button>
        </p>
      )}
      {found && ranOf(found.rows).length > 0 && <Tried prepared={prepared} rows={found.rows} whole={found.finished} />}
    </Folded>
  );
}

interface Look {
  label: (row: PlaceChange) => string;
  /** Where the arrays are. */
  where: (row: PlaceChange) => string;
  /** The present placement without other changes. */
  now: PlaceChange;
  /** Whether another row may be as fast as this one. */
  tied: (row: PlaceChange) => boolean;
  chosen: PlaceChange | null;
  choose: (row: PlaceChange) => void;
}

const time = (row: PlaceChange) => row.machine_microseconds ?? Infinity;

const columnsOf = ({ label, where, now, tied, chosen, choose }: Look): Column<PlaceChange>[] => [
  {
    key: 'change',
    label: p.changes.change,
    head: true,
    value: label,
    show: (row) =>
      row.changes.length === 0 ? (
        label(row)
      ) : (
        <button type="button" class="link-button" aria-pressed={row === chosen} onClick={() => choose(row)}>
          {label(row)}
        </button>
      ),
  },
  { key: 'where', label: p.changes.arrays, value: where, show: where },
  { key: 'time', label: p.ranking.machine, numeric: true, value: time, show: (row) => time(row).toFixed(1) },
  {
    key: 'versus',
    label: p.ranking.versus,
    numeric: true,
    value: (row) => time(row) / time(now),
    show: (row) => (row === now ? p.none : p.matrix.change(time(row) / time(now) - 1)),
  },
  {
    key: 'chance',
    label: p.ranking.chance,
    term: 'chance',
    numeric: true,
    value: (row) => row.chance ?? -1,
    show: (row) => `${row.chance === null ? p.none : percent(row.chance)}${tied(row) ? ` ${p.changes.tie}` : ''}`,
  },
];

function Tried({ prepared, rows, whole }: { prepared: PlacePrepared; rows: PlaceChange[]; whole: boolean }) {
  const names = prepared.arrays.map((array) => array.name);
  const [wanted, choose] = useState<PlaceChange | null>(null);
  const ran = ranOf(rows);
  const chosen = rows.find((row) => wanted && sameChange(row, wanted)) ?? fastest(rows);
  const moves = (row: PlaceChange) => p.moves(names, placementOf(row, names), prepared.sample.placement);
  const now = ran.find((row) => row.changes.length === 0 && moves(row) === '');
  if (!now) return null;
  const where = (row: PlaceChange) => moves(row) || p.ranking.asNow;
  const label = (row: PlaceChange) => p.changes.names(row.changes);
  const several = ran.filter((row) => row.tie).length > 1;
  const tied = (row: PlaceChange) => row.tie && several;
  const look = { label, where, now, tied, chosen, choose };
  return (
    <>
      {whole && <Answer rows={rows} look={look} />}
      <DataTable
        key={rows.length}
        caption={p.changes.heading}
        columns={columnsOf(look)}
        rows={ran}
        rowClass={(row) => `${row === chosen ? 'chosen' : ''} ${tied(row) ? 'tied' : ''}`}
      />
      <Refused rows={rows.filter((row) => !ran.includes(row))} label={label} />
      {chosen && <Text row={chosen} title={p.changes.text(label(chosen), where(chosen))} kernel={prepared.kernel} />}
    </>
  );
}

function Answer({ rows, look: { label, where, now } }: { rows: PlaceChange[]; look: Look }) {
  const best = fastest(rows);
  const placed = recommendedOf(rows) ?? now;
  const gains = best !== null && time(best) < time(placed) * (1 - LEAST_GAIN);
  return (
    <p class="sentence" data-testid="changes-sentence">
      {gains
        ? p.changes.faster(
            label(best),
            where(best),
            time(best),
            time(now),
            placed === now ? null : time(placed),
            placed.tie,
          )
        : p.changes.none}
    </p>
  );
}

function Refused({ rows, label }: { rows: PlaceChange[]; label: Look['label'] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{p.changes.refused}</h3>
      <ul class="notes" data-testid="changes-refused">
        {rows.map((row) => (
          <li key={`${row.changes.join()}${row.reason}`}>
            {label(row)}: {say(row.reason)}.
          </li>
        ))}
      </ul>
    </>
  );
}

/** Why the row is faster or slower, and its text. */
function Text({ row, title, kernel }: { row: PlaceChange; title: string; kernel: string }) {
  const [shown, setShown] = useState<ChangedText | null>(null);
  const gone = generation.value !== engine.generation;
  useEffect(() => {
    let late = false;
    setShown(null);
    if (!gone)
      void guarded(async () => {
        const { placement, changes: names } = row;
        const text = await engine.ask((r) => r.changedText({ placement, changes: names }));
        if (!late) setShown(text);
      });
    return () => (late = true);
  }, [row, gone]);
  return (
    <>
      <h3>{title}</h3>
      <p data-testid="change-reason">{p.changes.reason(row.reason)}.</p>
      {shown && <TextToCopy text={shown.text} notes={shown.notes} name={kernel} id="changed-text" />}
    </>
  );
}
