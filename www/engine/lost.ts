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

export function isPageError(error: unknown): error is PageError {
  return typeof error === 'object' && error !== null && Array.isArray((error as PageError).diagnostics);
}
