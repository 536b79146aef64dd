// The file that a visitor hands in.

import { learn } from '../../content/learn';
import { useState } from 'preact/hooks';
import { save } from '../../app/output';
import { confirm } from '../../app/store';
import * as engine from '../../engine/course/engine';
import { forgetDrafts } from './drafts';
import { forgetRecords, handInOf, records } from './records';
import { safely } from './state';

/** A file name of any text: what file systems refuse becomes a hyphen. */
const fileName = (name: string) => `warpscope-answers-${name.trim().replace(/[^\p{L}\p{N}]+/gu, '-') || 'me'}.json`;

export function HandInPanel() {
  const [name, setName] = useState('');
  // One press beside another button would be easily made by mistake, and nothing brings the answers back.
  const [sure, setSure] = useState(false);
  const forget = () => {
    setSure(!sure);
    if (!sure) return;
    forgetRecords();
    forgetDrafts();
    confirm(learn.forgotten);
  };
  const some = records.value.some((record) => record.given !== null);
  const write = () =>
    safely(async () => {
      if (!some) {
        // The tab's own notices are out of sight: on a phone this panel is the last one.
        confirm(learn.nothing);
        return;
      }
      const file = await handInOf(records.value, name.trim(), (who, digest) =>
        engine.ask((r) => r.fingerprint(who, digest)),
      );
      save(fileName(name), 'application/json', `${JSON.stringify(file, null, 1)}\n`);
    });
  return (
    <section class="panel" aria-label={learn.handIn}>
      <h2>{learn.handIn}</h2>
      <p class="hint">{learn.handInHint}</p>
      <div class="field">
        <label for="learn-name">{learn.name}</label>
        <input
          id="learn-name"
          maxLength={200}
          autocomplete="off"
          value={name}
          onInput={(e) => setName(e.currentTarget.value)}
        />
      </div>
      <p class="buttons">
        <button type="button" onClick={() => void write()}>
          {learn.save}
        </button>
        <button type="button" onClick={forget} onBlur={() => setSure(false)}>
          {sure ? learn.forgetSure : learn.forget}
        </button>
      </p>
    </section>
  );
}
