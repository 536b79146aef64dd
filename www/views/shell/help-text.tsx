// What the help sheet says: keys, how the open tab works, words.

import { useEffect } from 'preact/hooks';
import { DOCS } from '../../app/docs';
import { definitionOf, loadDefinitions } from '../../app/definitions';
import { singleKeys } from '../../app/keys';
import { tab } from '../../app/tabs';
import { Coded } from '../../components/coded';
import { ForgetAll } from '../../components/forget-all';
import { glossary, type TermId } from '../../content/glossary';
import { help } from '../../content/help';
import { s } from '../../content/strings';

const words = Object.keys(glossary) as TermId[];

export function HelpText() {
  useEffect(loadDefinitions, []);
  return (
    <>
      <p>
        <a href={DOCS} target="_blank" rel="noopener noreferrer">
          {help.documentation}
        </a>
      </p>
      <h3>{help.how}</h3>
      {help.tabs[tab.value]?.map((text) => (
        <p key={text}>
          <Coded text={text} />
        </p>
      ))}
      <h3>{help.keys}</h3>
      <dl class="keys">
        {Object.entries(help.bindings).map(([key, what]) => (
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
        {help.single}
      </label>
      <h3>{help.numbers}</h3>
      <p>{help.numbersText}</p>
      <p>
        {help.worker} {s.promiseMore}
      </p>
      <ForgetAll />
      <h3>{help.terms}</h3>
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
