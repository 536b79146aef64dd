// A choice of two or three with its legend beside it.

import { SegmentOptions } from '../../components/segments';

interface Props {
  name: string;
  legend: string;
  of: Record<string, string>;
  value: string;
  set: (value: string) => void;
}

export function Switch({ name, legend, of, value, set }: Props) {
  return (
    <fieldset class="reuse-switch">
      <legend>{legend}</legend>
      <span class="segments">
        <SegmentOptions name={name} ids={Object.keys(of)} labels={of} value={value} set={set} />
      </span>
    </fieldset>
  );
}
