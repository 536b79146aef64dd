// Files and link of the result.

import { save } from '../../app/output';
import { tell } from '../../app/session';
import { Copies } from '../../components/copies';
import { Folded } from '../../components/section';
import { Term } from '../../components/term';
import { s } from '../../content/strings';
import { r } from '../../content/reuse';
import { engine, type Shown } from './state';

export function Export({ shown }: { shown: Shown }) {
  const gone = shown.generation !== engine.generation;
  const { ms, result } = shown.analysed;
  const hand = (name: string, type: string, text: Promise<string>) => text.then((t) => save(name, type, t), tell);
  return (
    <Folded title={r.export.heading} class="export" name="export">
      <p class="buttons">
        <Copies />
        <button
          type="button"
          disabled={gone || result.sample !== null}
          onClick={() => void hand('warpscope-reuse.json', 'application/json', engine.reportJson(ms / 1000))}
        >
          {r.export.json}
        </button>
        <button
          type="button"
          disabled={gone}
          onClick={() => void hand('warpscope-reuse.csv', 'text/csv', engine.csv())}
        >
          {r.export.csv}
        </button>
      </p>
      {gone && <p class="quiet">{s.export.gone}</p>}
      <p class="quiet">
        {r.export.hint}{' '}
        <Term id="fingerprint">
          <code>{result.fingerprint}</code>
        </Term>
      </p>
    </Folded>
  );
}
