// SHA-256 of large files beside their reading: hashing takes as long as reading, and has nothing to do with it.

import { FileStream, Hasher } from '../../pkg/engine/warpscope';

export interface HashService {
  hash(file: File): Promise<string>;
  cancel(): void;
}

export class Hash implements HashService {
  /** Streams the file; never holds it. */
  async hash(file: File): Promise<string> {
    const hasher = new Hasher();
    const stream = new FileStream(file);
    while (await stream.next()) while (hasher.take(stream) > 0);
    return hasher.finish();
  }

  /** The page ends the whole worker: a hash cannot be used later. */
  cancel() {}
}
