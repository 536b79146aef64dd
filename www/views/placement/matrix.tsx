// Arrays × memories: what is legal, where the arrays are, where the best placement has them, and what each move alone does.

import { useState } from 'preact/hooks';
import { KeptInput } from '../../components/kept-input';
import { Section } from '../../components/section';
import { setView } from '../../app/tabs';
import { say } from '../../content/messages';
import { p } from '../../content/placement';
import { MEMORIES, type Memory, type PlaceArray, type PlacePrepared } from '../../engine/placement/types';
import { lookAt } from './actions';
import { ratio } from './advice';
import { fromText, same } from './settings';
import { advice, chosen, moves, present, provisional, ranking, settings } from './state';

interface Props {
  prepared: PlacePrepared;
  rename: (base: string, name: string) => void;
}

export function Matrix({ prepared, rename }: Props) {
  const guessed = prepared.arrays.some((a) => a.guessed);
  return (
    <Section title={p.matrix.heading} term="placement" hint={p.matrix.hint} class="matrix">
      <div class="table-scroll" role="group" aria-label={p.matrix.heading} tabIndex={0}>
        <table>
          <caption class="unseen">{p.matrix.heading}</caption>
          <thead>
            <tr>
              <th scope="col">{p.matrix.array}</th>
              <th scope="col">{p.matrix.now}</th>
              {MEMORIES.map((memory) => (
                <th scope="col" key={memory}>
                  {p.memory(memory)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {prepared.arrays.map((array, i) => (
              <Row key={array.base} array={array} index={i} now={prepared.sample.cycles} rename={rename} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="buttons">
        <button type="button" disabled={settings.value.look === null} onClick={() => lookAt(null)}>
          {p.matrix.best}
        </button>
        <button type="button" disabled={same(chosen.value, present.value)} onClick={() => lookAt(present.value)}>
          {p.matrix.asNow}
        </button>
      </p>
      {guessed && (
        <p class="banner">
          {p.matrix.guessedAll}{' '}
          <button type="button" onClick={() => setView('placement.confirmed', '1')}>
            {p.matrix.confirm}
          </button>
        </p>
      )}
      <Ranges arrays={prepared.arrays} />
    </Section>
  );
}

function Row({
  array,
  index,
  now,
  rename,
}: {
  array: PlaceArray;
  index: number;
  now: number;
  rename: Props['rename'];
}) {
  const here = present.value[index]!;
  const answer = provisional.value ? null : advice.value;
  const moveTo = (memory: Memory) =>
    setView('placement.from', fromText(present.value.map((one, i) => (i === index ? memory : one))));
  const choose = (memory: Memory) => lookAt(chosen.value.map((one, i) => (i === index ? memory : one)));
  return (
    <tr>
      <th scope="row">
        <KeptInput
          type="text"
          class="array-name"
          value={array.name}
          aria-label={p.matrix.rename(array.name)}
          autocomplete="off"
          spellcheck={false}
          onChange={(e) => {
            rename(array.base, e.currentTarget.value.trim());
            if (e.currentTarget.value.trim() === '') e.currentTarget.value = array.name;
          }}
        />{' '}
        {array.guessed && (
          <span class="badge" title={p.matrix.guessedHelp}>
            {p.matrix.guessed}
          </span>
        )}
        <span class="quiet facts-line">{p.matrix.size(array.bytes, array.element)}</span>
        {array.width > 1 && array.legality['texture2d'] === null && (
          <span class="quiet facts-line">{p.matrix.width(array.width)}</span>
        )}
        <span class="quiet facts-line">
          {p.matrix.uses(array.accesses)}
          {array.tile && array.tile[0] > 0 && `; ${p.matrix.tile(array.tile)}`}
        </span>
      </th>
      <td>
        <select
          aria-label={p.matrix.nowOf(array.name)}
          value={here}
          onChange={(e) => moveTo(e.currentTarget.value as Memory)}
        >
          {MEMORIES.filter((memory) => memory === here || array.legality[memory] === null).map((memory) => (
            <option key={memory} value={memory}>
              {p.memory(memory)}
            </option>
          ))}
        </select>
      </td>
      {MEMORIES.map((memory, m) => (
        <Cell
          key={memory}
          array={array}
          memory={memory}
          name={`placement-${index}`}
          chosen={chosen.value[index] === memory}
          now={here === memory}
          answer={answer?.best.placement[index] === memory}
          alone={answer?.ties.length === 0}
          effect={effectOf(index, memory, moves.value[index]?.[m], now)}
          onChoose={() => choose(memory)}
        />
      ))}
    </tr>
  );
}

/** What a move does to the time: a ratio minus 1, and whether it is by the equations. */
interface Effect {
  change: number;
  equations: boolean;
}

/** The effect of moving one array alone; null: not possible; undefined: not known yet. `now` is the present time by the equations. */
function effectOf(index: number, memory: Memory, time: number | null | undefined, now: number) {
  if (typeof time !== 'number' || now <= 0) return time === null ? null : undefined;
  const lines = ranking.value?.lines ?? [];
  const there = present.value.map((one, i) => (i === index ? memory : one));
  const [here, moved] = [present.value, there].map((placement) => lines.find((l) => same(l.placement, placement)));
  const ran = here && moved && here.machine_microseconds !== null && moved.machine_microseconds !== null;
  // Where nothing ran on the whole GPU, all cells are by the equations.
  const mark = here !== undefined && here.machine_microseconds !== null && !ran;
  return { change: (ran ? ratio(moved, here) : time / now) - 1, equations: mark };
}

interface CellProps {
  array: PlaceArray;
  memory: Memory;
  name: string;
  chosen: boolean;
  now: boolean;
  /** The answer has the array here, and no other placement ties with it. */
  answer: boolean;
  alone: boolean;
  effect: Effect | null | undefined;
  onChoose: () => void;
}

function Cell({ array, memory, name, chosen, now, answer, alone, effect, onChoose }: CellProps) {
  const why = array.legality[memory];
  if (why) {
    return (
      <td class="illegal">
        <strong>{p.matrix.no}</strong> <span class="quiet">{say(why)}</span>
      </td>
    );
  }
  const tone = !effect || Math.abs(effect.change) < 0.0005 ? '' : effect.change < 0 ? 'faster' : 'slower';
  return (
    <td class={chosen ? 'chosen' : undefined}>
      <label class="pick">
        <input
          type="radio"
          name={name}
          checked={chosen}
          aria-label={p.matrix.choose(array.name, memory)}
          onChange={onChoose}
        />
        {now ? (
          <span class="badge">{p.matrix.nowBadge}</span>
        ) : (
          <span class={`effect ${tone}`}>
            {effect === null ? p.matrix.together : effect && p.matrix.change(effect.change)}
            {effect?.equations && <ByEquations />}
          </span>
        )}
        {answer && alone && <span class="badge good">{p.matrix.bestBadge}</span>}
        {answer && !alone && <span class="badge advice">{now ? p.matrix.keepBadge : p.matrix.recommendedBadge}</span>}
      </label>
    </td>
  );
}

function Ranges({ arrays }: { arrays: PlaceArray[] }) {
  const text =
    settings.value.ranges.replaceAll(';', '\n') ||
    arrays.map((a) => `${a.name.replaceAll(/\s/g, '_')} ${a.base} ${a.bytes}`).join('\n');
  const [typed, setTyped] = useState<string | null>(null);
  const use = (value: string | null) => {
    for (const key of ['from', 'look']) setView(`placement.${key}`, null);
    setView('placement.ranges', value);
    setTyped(null);
  };
  return (
    <details class="ranges">
      <summary>{p.ranges.heading}</summary>
      <p class="hint">{p.ranges.hint}</p>
      <textarea
        aria-label={p.ranges.label}
        rows={Math.min(12, Math.max(3, arrays.length + 1))}
        spellcheck={false}
        value={typed ?? text}
        onInput={(e) => setTyped(e.currentTarget.value)}
      />
      <p class="buttons">
        <button
          type="button"
          onClick={() =>
            use(
              (typed ?? text)
                .split('\n')
                .map((line) => line.trim())
                .filter((line) => line !== '')
                .join(';') || null,
            )
          }
        >
          {p.ranges.use}
        </button>
        <button type="button" disabled={settings.value.ranges === ''} onClick={() => use(null)}>
          {p.ranges.own}
        </button>
      </p>
    </details>
  );
}

/** A change that is no time of the whole GPU. */
export const ByEquations = () => (
  <span class="quiet" title={p.matrix.equationsHelp}>
    {' '}
    {p.matrix.equations}
  </span>
);
