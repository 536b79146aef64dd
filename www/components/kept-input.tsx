import type { AriaAttributes, InputHTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props extends AriaAttributes {
  value: string | number;
  onChange: (event: { currentTarget: HTMLInputElement }) => void;
  type?: 'text' | 'number';
  id?: string;
  class?: string;
  min?: number | string;
  max?: number | string;
  step?: number | string;
  inputMode?: 'numeric' | 'decimal' | 'text';
  placeholder?: string;
  spellcheck?: boolean;
  autocomplete?: string;
  disabled?: boolean;
}

/** A text field that hands on what it holds when it is left, or on Enter. Until then nothing that the page draws replaces what was typed. */
export function KeptInput({ value, onChange, ...rest }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const typed = useRef(false);
  useLayoutEffect(() => {
    if (field.current && !typed.current && field.current.value !== String(value)) field.current.value = String(value);
  });
  return (
    <input
      {...(rest as InputHTMLAttributes<HTMLInputElement>)}
      ref={field}
      onInput={() => (typed.current = true)}
      onChange={(event) => {
        typed.current = false;
        onChange(event);
      }}
      onBlur={() => (typed.current = false)}
    />
  );
}
