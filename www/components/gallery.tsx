// The examples by lesson, with a picture of what the lanes of a warp touch, and a search.

import { useEffect, useRef, useState } from 'preact/hooks';
import { hasWords } from '../app/search';
import { examples } from '../app/store';
import { gallery, LESSONS } from '../content/gallery';
import { say } from '../content/messages';
import patterns from '../content/patterns.json';
import type { ExampleInfo } from '../engine/types';
import { Pattern } from './pattern';
import { SearchField } from './search-field';
import '../styles/gallery.css';

interface Props {
  current: string;
  choose: (id: string) => void;
  close: () => void;
}

const pictures: Record<string, string[]> = patterns;

/** What a search looks through. */
const wordsOf = ({ id, title, lesson }: ExampleInfo, lessonName: string) =>
  `${id} ${title} ${lesson} ${say(title)} ${say(lesson)} ${lessonName}`;

export function Gallery({ current, choose, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const groups = LESSONS.map(({ name, kernels }) => ({
    name,
    shown: kernels
      .map((id) => examples.find((example) => example.id === id))
      .filter((example) => example !== undefined)
      .filter((example) => hasWords(wordsOf(example, name), search)),
  })).filter(({ shown }) => shown.length > 0);
  return (
    <dialog ref={dialog} class="help gallery" aria-labelledby="gallery-title" onClose={close}>
      <div class="card-head">
        <h2 id="gallery-title">{gallery.heading}</h2>
        <button type="button" onClick={close}>
          {gallery.close}
        </button>
      </div>
      <SearchField id="gallery-search" label={gallery.search} value={search} set={setSearch} />
      <p class="hint">{gallery.hint}</p>
      {groups.length === 0 && <p role="status">{gallery.none}</p>}
      {groups.map(({ name, shown }) => (
        <section key={name} aria-label={name}>
          <h3>{name}</h3>
          <ul>
            {shown.map((example) => (
              <li key={example.id}>
                <button
                  type="button"
                  aria-current={example.id === current}
                  onClick={() => {
                    choose(example.id);
                    close();
                  }}
                >
                  <Pattern rows={pictures[example.id] ?? []} />
                  <strong>{say(example.title)}</strong>
                  {example.id === current && <span class="badge">{gallery.inUse}</span>}
                  <span class="quiet">{say(example.lesson)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </dialog>
  );
}
