// What each array and each instruction asks of each level, as tables. A name filters everything else.

import type { ComponentChildren, VNode } from 'preact';
import { arrayKey, gpuRows, instructionKey } from '../../../app/baseline';
import { type Column, DataTable } from '../../../components/data-table';
import { levelColumns, instructionLevelColumns } from '../../../components/levels';
import { g } from '../../../content/gpu';
import type { GpuArrayRow, GpuInstructionRow } from '../../../engine/types';
import { isPicked, Pick, PickInstruction, placeOf } from '../only';
import { arrayColumns, instructionColumns } from '../row-columns';

const MOST_FIRST = { key: 'moved', down: true };

/** Columns of which the first picks its row. */
function picking<Row>(columns: Column<Row>[], wrap: (row: Row, name: ComponentChildren) => VNode) {
  const [name, ...others] = columns;
  return name ? [{ ...name, show: (row: Row, all: Row[]) => wrap(row, name.show?.(row, all)) }, ...others] : others;
}

export const pickingArrays = <Row extends GpuArrayRow>(columns: Column<Row>[]) =>
  picking(columns, (row, name) => (
    <Pick part="array" value={row.base}>
      {name}
    </Pick>
  ));

export const pickingInstructions = <Row extends GpuInstructionRow>(columns: Column<Row>[]) =>
  picking(columns, (row, name) => <PickInstruction of={row}>{name}</PickInstruction>);

/** `part`: the rows count a part of the accesses. A part has no baseline. */
export function ArrayTable({ rows, part }: { rows: GpuArrayRow[]; part: boolean }) {
  return (
    <DataTable
      caption={g.rows.arrays}
      columns={pickingArrays(arrayColumns(levelColumns(rows)))}
      rows={rows}
      rowClass={(row) => (isPicked('array', row.base) ? 'chosen' : '')}
      sort={MOST_FIRST}
      base={part ? null : gpuRows((k) => k.rows.arrays, arrayKey)}
    />
  );
}

export function InstructionTable({ rows, part }: { rows: GpuInstructionRow[]; part: boolean }) {
  return (
    <DataTable
      caption={g.rows.instructions}
      columns={pickingInstructions(instructionColumns(rows, instructionLevelColumns(rows)))}
      rows={rows}
      rowClass={(row) => (isPicked(...placeOf(row)) ? 'chosen' : '')}
      sort={MOST_FIRST}
      base={part ? null : gpuRows((k) => k.rows.instructions, instructionKey)}
    />
  );
}
