// A table that sorts by any column and grows in pages: thousands of rows would block the page.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { comparing, type BaseRows } from '../app/baseline';
import type { TermId } from '../content/glossary';
import { percent1, share } from '../content/format';
import { s } from '../content/strings';
import { Difference } from './difference';
import { Term } from './term';

const PAGE = 50;
const FIRST_PAGE = 10;

export interface Column<Row> {
  key: string;
  label: string;
  term?: TermId;
  /** What to sort by; also shown when there is no `show`. Columns without it are not sortable. `all` are the rows of its own table. */
  value?: (row: Row, all: Row[]) => number | string;
  show?: (row: Row, all: Row[]) => ComponentChildren;
  numeric?: boolean;
  /** How a number is written. Columns with it show the difference to the baseline. */
  format?: (n: number) => string;
  /** The column that names the row. */
  head?: boolean;
}

/** A column of numbers: sorted by the number, shown as `format` writes it. */
export function numberColumn<Row>(
  key: string,
  label: string,
  value: (row: Row, all: Row[]) => number,
  format: (n: number) => string,
  term?: TermId,
): Column<Row> {
  return { key, label, term, numeric: true, value, show: (row, all) => format(value(row, all)), format };
}

/** A column of what each row has of the sum over all rows of its table. */
export function shareColumn<Row>(key: string, label: string, of: (row: Row) => number): Column<Row> {
  const sums = new WeakMap<Row[], number>();
  const sumOf = (rows: Row[]) => {
    const known = sums.get(rows) ?? rows.reduce((sum, row) => sum + of(row), 0);
    sums.set(rows, known);
    return known;
  };
  return numberColumn(key, label, (row, all) => share(of(row), sumOf(all)), percent1);
}

interface Props<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  sort?: { key: string; down: boolean };
  firstPage?: number;
  rowClass?: (row: Row) => string;
  /** The same table of the baseline. */
  base?: BaseRows<Row> | null;
}

function sorted<Row>(rows: Row[], column: Column<Row> | undefined, down: boolean): Row[] {
  const value = column?.value;
  if (!value) return rows;
  const sign = down ? -1 : 1;
  return rows.slice().sort((a, b) => {
    const [x, y] = [value(a, rows), value(b, rows)];
    return (
      sign *
      (typeof x === 'number' && typeof y === 'number'
        ? x - y
        : String(x).localeCompare(String(y), 'en', { numeric: true }))
    );
  });
}

export function DataTable<Row>({ caption, columns, rows, sort, firstPage = FIRST_PAGE, rowClass, base }: Props<Row>) {
  const [order, setOrder] = useState(sort ?? null);
  const [shown, setShown] = useState(firstPage);
  const ordered = useMemo(
    () =>
      order
        ? sorted(
            rows,
            columns.find((c) => c.key === order.key),
            order.down,
          )
        : rows,
    [rows, order?.key, order?.down],
  );
  const turn = (column: Column<Row>) =>
    setOrder({ key: column.key, down: order?.key === column.key ? !order.down : column.numeric === true });
  const before = base && new Map(base.rows.map((row) => [base.key(row) || null, row]));
  if (rows.length === 0) return <p class="quiet">{s.table.empty}</p>;
  return (
    <div class="table-frame">
      <div class="table-scroll" role="group" aria-label={caption} tabIndex={0}>
        <table data-rows={rows.length}>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Heading key={column.key} column={column} order={order} onTurn={() => turn(column)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, shown).map((row, i) => (
              <tr key={i} class={rowClass?.(row)}>
                {columns.map((column) => (
                  <Cell
                    key={column.key}
                    column={column}
                    of={[row, rows]}
                    before={base ? [before?.get(base.key(row)), base.rows] : null}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown && (
        <p class="table-more">
          {s.table.more(shown, rows.length)}{' '}
          <button type="button" class="link-button" onClick={() => setShown(shown + PAGE)}>
            {s.table.moreButton(Math.min(PAGE, rows.length - shown))}
          </button>
        </p>
      )}
    </div>
  );
}

type HeadingProps<Row> = { column: Column<Row>; order: { key: string; down: boolean } | null; onTurn: () => void };

function Heading<Row>({ column, order, onTurn }: HeadingProps<Row>) {
  const mine = order?.key === column.key;
  const arrow = mine ? (order.down ? '▾' : '▴') : '↕';
  const direction = mine ? (order.down ? 'descending' : 'ascending') : undefined;
  // A word that has a definition is a button itself; the arrow beside it sorts.
  const label = column.term ? <Term id={column.term}>{column.label}</Term> : column.label;
  return (
    <th scope="col" class={column.numeric ? 'number' : undefined} aria-sort={direction}>
      {column.term && label}
      {column.value ? (
        <button
          type="button"
          class={mine ? 'sort chosen' : 'sort'}
          onClick={onTurn}
          title={s.table.sortBy(column.label)}
          aria-label={column.term && s.table.sortBy(column.label)}
        >
          {!column.term && label}
          <span class="arrow" aria-hidden="true">
            {arrow}
          </span>
        </button>
      ) : (
        !column.term && label
      )}
    </th>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  /** The row, and all rows of its table. */
  of: [Row, Row[]];
  /** The same of the baseline. */
  before: [Row | undefined, Row[]] | null;
}

function Cell<Row>({ column, of: [row, all], before }: CellProps<Row>) {
  const content = column.show ? column.show(row, all) : column.value?.(row, all);
  const kind = column.numeric ? 'number' : undefined;
  if (column.head) return <th scope="row">{content}</th>;
  const { format, value } = column;
  const [old, allOld] = before ?? [];
  const told =
    format && value && old && allOld
      ? comparing.value?.signed(Number(value(row, all)) - Number(value(old, allOld)), format)
      : undefined;
  return (
    <td class={kind}>
      {content}
      <Difference of={told ? { text: told, word: '' } : undefined} />
    </td>
  );
}
