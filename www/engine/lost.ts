// What a call to a worker can end in, apart from its answer.

import type { PageError } from './types';

/** The worker went away under a call. */
export class EngineLost extends Error {
  constructor(
    readonly wanted: boolean,
    message: string,
  ) {
    super(message);
    this.name = 'EngineLost';
  }
}

/** Whether somebody ended the worker on purpose, as a cancel does. Whoever waited for it has no fault to tell. */
export const isWanted = (error: unknown): boolean => error instanceof EngineLost && error.wanted;

export function isPageError(error: unknown): error is PageError {
  return typeof error === 'object' && error !== null && Array.isArray((error as PageError).diagnostics);
}
