// A small table of the state before a step.

import type { ComponentChildren } from 'preact';
import { w } from '../../../content/why';

/** Rows of each table. The engine tells at most 32. */
export const ROWS = 10;

interface TableProps {
  caption: string;
  columns: string[];
  rows: { cells: ComponentChildren[]; class?: string }[];
  /** Of the whole list. */
  count: number;
  none: string;
}

export function Table({ caption, columns, rows, count, none }: TableProps) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i} class={row.class}>
            {row.cells.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
        {(rows.length === 0 || count > rows.length) && (
          <tr>
            <td colSpan={columns.length} class="quiet">
              {rows.length === 0 ? none : w.more(count - rows.length)}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
