// A choice of two or three, as a row of radio buttons.

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
        {Object.entries(of).map(([id, label]) => (
          <label key={id}>
            <input type="radio" name={name} value={id} checked={value === id} onChange={() => set(id)} />
            <span>{label}</span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}
