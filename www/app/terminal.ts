// Words of a command for the terminal.

import type { CudaSettings } from '../engine/types';

export function quoted(word: string): string {
  return /^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** How CUDA text is run; each flag with a blank before it. */
export function cudaFlags({ form, launch, sizes }: CudaSettings): string {
  const values = Object.entries(sizes)
    .map(([name, value]) => ` --size ${quoted(`${name}=${value}`)}`)
    .join('');
  return `${form === 'written' ? ' --form written' : ''}${launch === null ? '' : ` --launch ${quoted(launch)}`}${values}`;
}
