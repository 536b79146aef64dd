// Shown when the page or the engine broke: what happened, details to copy, a way on.

import { useState } from 'preact/hooks';
import { startAgain } from '../app/actions';
import { copyText } from '../app/output';
import type { Crash } from '../app/store';
import { s } from '../content/strings';

interface Props {
  crash: Crash;
  onAgain?: () => void;
}

export function CrashCard({ crash, onAgain = () => void startAgain() }: Props) {
  const [copied, setCopied] = useState(false);
  const copy = () => void copyText(crash.details).then(setCopied);
  const why = crash.kind === 'engine' ? s.crash.engine : crash.kind === 'memory' ? s.crash.memory : '';
  return (
    <section class="card crash" role="alert" aria-labelledby="crash-title">
      <h2 id="crash-title">{s.crash.heading}</h2>
      <p>{s.crash.text}</p>
      {why && <p>{why}</p>}
      <p class="buttons">
        <button type="button" class="primary" onClick={onAgain}>
          {s.crash.again}
        </button>
        <button type="button" onClick={copy}>
          {copied ? s.crash.copied : s.crash.copy}
        </button>
      </p>
      <details>
        <summary>{s.crash.details}</summary>
        <pre tabIndex={0}>{crash.details}</pre>
      </details>
    </section>
  );
}
