// A choice of a few, as a row of radio buttons.

interface Options<Id extends string> {
  /** Name of the group of radio buttons, one on the page. */
  name: string;
  ids: readonly Id[];
  labels: Record<Id, string>;
  value: Id;
  set: (id: Id) => void;
}

/** The buttons alone, for a parent that has the legend. */
export function SegmentOptions<Id extends string>({ name, ids, labels, value, set }: Options<Id>) {
  return (
    <>
      {ids.map((id) => (
        <label key={id}>
          <input type="radio" name={name} value={id} checked={value === id} onChange={() => set(id)} />
          <span>{labels[id]}</span>
        </label>
      ))}
    </>
  );
}

interface Props<Id extends string> extends Options<Id> {
  /** What is chosen, for people who do not see it. */
  legend: string;
  class?: string;
}

export function Segments<Id extends string>({ legend, class: extra, ...options }: Props<Id>) {
  return (
    <fieldset class={extra ? `segments ${extra}` : 'segments'}>
      <legend class="unseen">{legend}</legend>
      <SegmentOptions {...options} />
    </fieldset>
  );
}
