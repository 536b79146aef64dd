// What the page and the workers of the self-check say to each other.

import type { OnProgress } from '../protocol';
import type { PaperOutline, PaperReport, PaperResult } from '../types';

export interface PapersService {
  /** All rows, before they run. */
  list(): PaperOutline[];
  /** Runs a row; null when cancelled. */
  run(id: string, onProgress: OnProgress): Promise<PaperResult | null>;
  /** Rows with their counts. */
  report(rows: PaperResult[]): PaperReport;
  /** The report as the terminal prints it. */
  json(rows: PaperResult[]): string;
  csv(rows: PaperResult[]): string;
  cancel(): void;
}
