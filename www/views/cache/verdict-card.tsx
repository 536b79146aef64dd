// The card that a result begins with: which kernel, whether it is the result of the link, and the answer in words.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Result } from '../../app/store';
import { CopyLink } from '../../components/copies';
import { shortName } from '../../content/format';
import { s } from '../../content/strings';
import { AnswerBelow } from './answer-below';
import { CompareDoor, PinButtons } from './compare-door';
import { Reproduced } from './reproduced';

interface Props {
  result: Result;
  /** Name of the kernel. */
  name: string;
  /** On which GPU, by which model. */
  of: string;
  sentence: string;
  children: ComponentChildren;
}

export function VerdictCard({ result, name, of, sentence, children }: Props) {
  const card = useRef<HTMLElement>(null);
  const changed = Object.keys(result.scenario.set).length;
  return (
    <>
      <section class="card verdict" ref={card} aria-labelledby="verdict-title">
        <div class="card-head">
          <h2 id="verdict-title">
            <span class="eyebrow">{s.verdict.heading}</span>{' '}
            <span class="kernel-name" title={name}>
              {shortName(name)}
            </span>{' '}
            <span class="quiet">
              {of}
              {changed > 0 && `, ${s.settings.changed(changed)}`}
            </span>
          </h2>
          <span class="verdict-tools">
            {result.reproduced && <Reproduced result={result} />}
            <PinButtons />
            <CopyLink />
          </span>
        </div>
        {result.reproduced === false && <Reproduced result={result} />}
        <p class="sentence" data-testid="verdict">
          {sentence}
        </p>
        {children}
      </section>
      <AnswerBelow card={card} sentence={sentence} />
      <CompareDoor />
    </>
  );
}
