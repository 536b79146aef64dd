// Words of the list of parameters: its search, and values that the engine refuses.

export const parameterWords = {
  search: 'Search the parameters',
  none: 'No parameter has these words.',
  refused: 'refused',
  refusedHelp: (expected: string, found: string) => `This value was refused. Expected ${expected}; found ${found}.`,
};
