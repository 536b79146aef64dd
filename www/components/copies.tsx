// Copies of a result for other places, beside its link.

import { copyCitation, copyLink, copyMarkdown } from '../app/output';
import { s } from '../content/strings';

export const Copies = () => (
  <>
    <button type="button" onClick={() => void copyLink()}>
      {s.export.link}
    </button>
    <button type="button" onClick={() => void copyMarkdown()}>
      {s.export.markdown}
    </button>
    <button type="button" onClick={() => void copyCitation()}>
      {s.export.cite}
    </button>
  </>
);
