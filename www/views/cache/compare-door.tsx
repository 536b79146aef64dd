// The comparison with a baseline, whose code comes when one is pinned; and the ways to one: the run on show, and its other form.

import { before, busy, examples, result, scenario } from '../../app/store';
import { twinOf } from '../../app/twin';
import { withCompare } from '../../app/with-compare';
import { Lazy } from '../../components/lazy';
import { d } from '../../content/difference';

const load = () => import(/* webpackChunkName: 'compare' */ './compare').then((module) => module.Compare);

export function CompareDoor() {
  return scenario.value.base ? <Lazy load={load} props={{}} /> : null;
}

/** The run before as the baseline, and the run on show as that of the next ones. */
export function PinButtons() {
  const { base } = scenario.value;
  const now = result.value?.report.fingerprint;
  const kept = base?.fingerprint === now;
  const earlier = before.value?.report.fingerprint;
  return (
    <>
      {earlier !== undefined && earlier !== now && (
        <button
          type="button"
          aria-pressed={base?.fingerprint === earlier}
          onClick={() => void withCompare(({ compareWithBefore }, shown) => compareWithBefore(shown))}
        >
          {d.before}
        </button>
      )}
      <button
        type="button"
        title={d.pinHelp}
        aria-pressed={kept}
        onClick={() => void withCompare(({ toggle }, shown) => toggle(shown))}
      >
        {kept ? d.pinned : d.pin}
      </button>
    </>
  );
}

export function TwinButton() {
  const shown = result.value?.scenario;
  const twin = shown && twinOf(shown, examples);
  if (!twin) return null;
  const { base } = scenario.value;
  if (base?.example === twin.id && twin.id !== shown.example) return null; // they stand beside each other already
  const name = twin.id === shown.example ? d.sizes(twin.differs, twin.better) : twin.title;
  return (
    <p class="buttons">
      <button
        type="button"
        disabled={busy.value}
        onClick={() => void withCompare(({ compareWithTwin }, shown) => compareWithTwin(shown))}
      >
        {d.twin(name, twin.better)}
      </button>
    </p>
  );
}
