// The comparison with a baseline, whose code comes when one is pinned; and the ways to one: the run on show, and its other form.

import { busy, confirm, examples, result, scenario } from '../../app/store';
import { twinOf } from '../../app/twin';
import { withCompare } from '../../app/with-compare';
import { Lazy } from '../../components/lazy';
import { d } from '../../content/difference';

const load = () => import(/* webpackChunkName: 'compare' */ './compare').then((module) => module.Compare);

export function CompareDoor() {
  return scenario.value.base ? <Lazy load={load} props={{}} /> : null;
}

export function PinButton() {
  return (
    <button
      type="button"
      title={d.pinHelp}
      aria-label={d.pin}
      onClick={() => void withCompare(({ pin }) => void (pin() && confirm(d.pinned)))}
    >
      {d.pinShort}
      <span class="on-wide">{d.pinRest}</span>
    </button>
  );
}

export function TwinButton() {
  const shown = result.value?.scenario;
  const twin = shown && twinOf(shown, examples);
  if (!twin) return null;
  const { base } = scenario.value;
  if (base?.example === twin.id && twin.id !== shown.example) return null; // they stand beside each other already
  const name = twin.id === shown.example ? d.sizes(twin.sizes) : twin.title;
  return (
    <p class="buttons">
      <button
        type="button"
        disabled={busy.value}
        onClick={() => void withCompare(({ compareWithTwin }) => compareWithTwin())}
      >
        {d.twin(name, twin.better)}
      </button>
    </p>
  );
}
