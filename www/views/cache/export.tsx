// Link and files of the result.

import { copyLink, saveReport } from '../../app/output';
import { generation, shownLink, type Result } from '../../app/store';
import { Section } from '../../components/section';
import { Term } from '../../components/term';
import { s } from '../../content/strings';

export function Export({ result }: { result: Result }) {
  const gone = result.generation !== generation.value;
  return (
    <Section title={s.export.heading} class="export">
      <p class="buttons">
        <button type="button" onClick={() => void copyLink()}>{s.export.link}</button>
        <button type="button" disabled={gone} onClick={() => void saveReport('json')}>{s.export.json}</button>
        <button type="button" disabled={gone} onClick={() => void saveReport('csv')}>{s.export.csv}</button>
      </p>
      {gone && <p class="quiet">{s.export.gone}</p>}
      {shownLink.value && (
        <label class="shown-link">
          {s.export.copyFailed}
          <input readOnly value={shownLink.value} onFocus={(e) => e.currentTarget.select()} />
        </label>
      )}
      <p class="quiet">
        {s.export.linkHint} <Term id="fingerprint">{result.report.fingerprint}</Term>
      </p>
    </Section>
  );
}
