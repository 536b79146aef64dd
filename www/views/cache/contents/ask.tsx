// Files whose content fits several formats: the page asks, in sight, and goes on with the likeliest meanwhile.

import { undecided } from '../../../app/reading';
import { readAs } from '../../../app/sources';
import { s } from '../../../content/strings';
import type { Source } from '../../../engine/protocol';
import type { FileInfo } from '../../../engine/types';

const nameOf = (key: string) => s.contents.formats[key] ?? key;

export function Ask({ files, source }: { files: FileInfo[]; source: Source }) {
  const open = undecided(files, source);
  if (open.length === 0) return null;
  return (
    <section class="card ask" aria-labelledby="ask-title">
      <h2 id="ask-title">{s.contents.askHeading}</h2>
      {open.map((i) => {
        const file = files[i]!;
        return (
          <div key={i}>
            <p>{s.contents.ask(file.id.name, file.candidates.map(nameOf), nameOf(file.read_as))}</p>
            <p class="buttons">
              {file.candidates.map((key) => (
                <button key={key} type="button" onClick={() => void readAs(i, key)}>
                  {s.contents.askAs(nameOf(key))}
                </button>
              ))}
            </p>
          </div>
        );
      })}
    </section>
  );
}
