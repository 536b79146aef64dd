// Copies of a result for other places, beside its link.

import { copyCitation, copyLink, copyMarkdown } from '../app/output';
import { s } from '../content/strings';
import { CopyButton } from './copy-button';

export const CopyLink = () => (
  <CopyButton copy={copyLink} done={s.export.copied}>
    {s.export.link}
  </CopyButton>
);

export const Copies = () => (
  <>
    <CopyLink />
    <CopyButton copy={copyMarkdown}>{s.export.markdown}</CopyButton>
    <CopyButton copy={copyCitation}>{s.export.cite}</CopyButton>
  </>
);
