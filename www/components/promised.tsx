// Whether the result of a tab is the one that its link promised.

interface Props {
  /** Null: no link promised one. */
  kept: boolean | null;
  tab: string;
  words: { reproduced: string; reproducedMore: string; not: string };
}

export function Promised({ kept, tab, words }: Props) {
  if (kept === null) return null;
  return kept ? (
    <p>
      <span class="badge good" title={words.reproducedMore} data-testid={`${tab}-reproduced`}>
        ✓ {words.reproduced}
      </span>
    </p>
  ) : (
    <p class="not-reproduced" role="note" data-testid={`${tab}-not-reproduced`}>
      {words.not}
    </p>
  );
}
