// The field of a search in a list that is in memory.

interface Props {
  id: string;
  label: string;
  value: string;
  set: (value: string) => void;
}

export const SearchField = ({ id, label, value, set }: Props) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} type="search" value={value} autocomplete="off" onInput={(e) => set(e.currentTarget.value)} />
  </div>
);
