// Where the kernels come from: files or an example.

import { openExample } from '../../../app/sources';
import { intake, source } from '../../../app/store';
import { openTab } from '../../../app/tabs';
import { ExampleChoice } from '../../../components/example-choice';
import { OpenButton } from '../../../components/file-input';
import { Fold } from '../../../components/fold';
import { Lazy } from '../../../components/lazy';
import { m } from '../../../content/measured';
import { s } from '../../../content/strings';
import type { Intake } from '../../../engine/types';

const recent = () => import(/* webpackChunkName: 'recent' */ './recent').then((module) => module.Recent);

const FILES_SHOWN = 6;

export function SourcePanel() {
  return (
    <section class="panel" aria-labelledby="source-title">
      <h2 id="source-title">{s.source.heading}</h2>
      <div class="drop-zone">
        <OpenButton primary>{s.source.button}</OpenButton>
        <p class="drop-text">{s.source.drop}</p>
        <details class="formats">
          <summary>{s.source.which}</summary>
          <p class="quiet">{s.source.formats}</p>
        </details>
      </div>
      <ExampleChoice
        label={s.source.example}
        current={source.value?.example ?? ''}
        none={source.value ? s.source.ownFiles : s.source.none}
        choose={(id) => void openExample(id)}
      >
        <button type="button" class="link-button" onClick={() => openTab('kernel')}>
          {s.source.text}
        </button>
      </ExampleChoice>
      {intake.value && source.value && source.value.files.length > 0 && <FilesInUse intake={intake.value} />}
      <Fold title={s.kept.recent} name="recent">
        <Lazy load={recent} props={{}} />
      </Fold>
    </section>
  );
}

function FilesInUse({ intake }: { intake: Intake }) {
  const more = intake.files.length - FILES_SHOWN;
  return (
    <div class="files">
      <h3>{s.source.files}</h3>
      <ul>
        {intake.files.slice(0, FILES_SHOWN).map((f) => (
          <li key={f.id.sha256 + f.id.name}>
            <span class="file-name">{s.source.file(f.id.name, f.id.size)}</span>
            <span class="quiet">
              {f.format}
              {f.kernels > 0 && `, ${s.source.kernels(f.kernels)}`}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">{s.source.more(more)}</p>}
      {intake.profile !== null && <p class="quiet">{m.file(intake.profile)}</p>}
      {intake.topology !== null && <p class="quiet">{s.source.topology(intake.topology)}</p>}
    </div>
  );
}
