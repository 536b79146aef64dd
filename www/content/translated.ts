// What the words of another language have to be: the same names and functions, with other strings.

export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Said
    ? (...values: Values) => Translated<Said>
    : T extends object
      ? { [Name in keyof T]: Translated<T[Name]> }
      : T;
