// Words of the search among parameters.

export const search = {
  parameters: 'Search the parameters',
  none: 'No parameter has these words.',
};
