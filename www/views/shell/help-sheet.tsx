// Keys, words and how it works, in one dialog.

import { useEffect, useRef } from 'preact/hooks';
import { definitionOf, loadDefinitions } from '../../app/definitions';
import { singleKeys } from '../../app/keys';
import { helpOpen } from '../../app/store';
import { glossary, type TermId } from '../../content/glossary';
import { s } from '../../content/strings';

export function HelpSheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      <div class="card-head">
        <h2 id="help-title">{s.help.heading}</h2>
        <button type="button" onClick={() => (helpOpen.value = false)}>
          {s.help.close}
        </button>
      </div>
      {open && <HelpText />}
    </dialog>
  );
}

const words = Object.keys(glossary) as TermId[];

function HelpText() {
  useEffect(loadDefinitions, []);
  return (
    <>
      <h3>{s.help.keys}</h3>
      <dl class="keys">
        {Object.entries(s.help.bindings).map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={(e) => (singleKeys.value = e.currentTarget.checked)}
        />
        {s.help.single}
      </label>
      <h3>{s.help.how}</h3>
      <p>{s.help.howText}</p>
      <p>{s.promiseMore}</p>
      <h3>{s.help.numbers}</h3>
      <p>{s.help.numbersText}</p>
      <h3>{s.help.terms}</h3>
      <dl class="words">
        {words.map((id) => (
          <div key={id}>
            <dt>{glossary[id]}</dt>
            <dd>{definitionOf(id)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
