// Whether the run gave what the link promised.

import type { Result } from '../../app/store';
import { Term } from '../../components/term';
import { s } from '../../content/strings';

export function Reproduced({ result }: { result: Result }) {
  if (result.reproduced === null) return null;
  if (result.reproduced) {
    return (
      <span class="badge good" title={s.reproduced.yesMore} data-testid="reproduced">
        ✓ {s.reproduced.yes}
      </span>
    );
  }
  return (
    <div class="not-reproduced" role="note" data-testid="not-reproduced">
      <p>
        <strong>{s.reproduced.no}.</strong> {s.reproduced.noMore}
      </p>
      <dl>
        <dt>
          <Term id="fingerprint">{s.reproduced.promised}</Term>
        </dt>
        <dd>
          <code>{result.scenario.fingerprint}</code>
        </dd>
        <dt>{s.reproduced.here}</dt>
        <dd>
          <code>{result.report.fingerprint}</code>
        </dd>
      </dl>
      <p>{s.reproduced.reasons}</p>
      <ul>
        {s.reproduced.why.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
