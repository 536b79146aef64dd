// Link and files of the result.

import { saveClassBar, saveReport } from '../../app/output';
import { generation, type Result } from '../../app/store';
import { dark } from '../../app/theme';
import { Copies } from '../../components/copies';
import { Folded } from '../../components/section';
import { Term } from '../../components/term';
import { s } from '../../content/strings';

export function Export({ result, index }: { result: Result; index: number }) {
  const gone = result.generation !== null && result.generation !== generation.value;
  return (
    <Folded title={s.export.heading} class="export" name="export">
      <p class="buttons">
        <Copies />
        <button type="button" disabled={gone} onClick={() => void saveReport('json')}>
          {s.export.json}
        </button>
        <button type="button" disabled={gone} onClick={() => void saveReport('csv')}>
          {s.export.csv}
        </button>
        {result.report.model !== 'gpu' && (
          <button type="button" disabled={gone} onClick={() => void saveClassBar(index, dark.value)}>
            {s.export.bar}
          </button>
        )}
      </p>
      {gone && <p class="quiet">{s.export.gone}</p>}
      <p class="quiet">
        {s.export.linkHint} <Term id="fingerprint">{result.report.fingerprint}</Term>
      </p>
    </Folded>
  );
}
