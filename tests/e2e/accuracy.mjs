// The mean errors of times on the GPUs that were measured, from the file that `npm run accuracy` writes.
import { readFileSync } from 'node:fs';

const file = new URL('../../crates/lab/src/cache_tab/time_errors.json', import.meta.url);
const errors = Object.values(JSON.parse(readFileSync(file, 'utf8'))).map((gpu) => gpu.error);

/** The largest of them, as a share. */
export const WORST_TIME_ERROR = Math.max(...errors);
