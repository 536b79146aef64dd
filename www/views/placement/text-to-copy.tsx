// A CUDA text with what its reader has to know, to copy and to save.

import { useState } from 'preact/hooks';
import { copyText, save } from '../../app/output';
import { p } from '../../content/placement';

interface Props {
  text: string;
  notes: string[];
  /** The kernel's name. */
  name: string;
  id: string;
}

export function TextToCopy({ text, notes, name, id }: Props) {
  const [copied, setCopied] = useState('');
  const file = name.replaceAll(/[^\w.-]+/g, '_').slice(0, 40);
  return (
    <>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{p.look.rewriteNote(note)}</li>
          ))}
        </ul>
      )}
      <pre tabIndex={0} class="snippet" data-testid={id}>
        {text}
      </pre>
      <p class="buttons">
        <button type="button" onClick={() => void copyText(text).then((done) => setCopied(done ? text : ''))}>
          {copied === text ? p.look.copied : p.look.copy}
        </button>
        <button type="button" onClick={() => save(`${file}-placed.cu`, 'text/plain', text)}>
          {p.look.saveCuda}
        </button>
      </p>
    </>
  );
}
