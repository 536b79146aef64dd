// Files and link of the result.

import { save } from '../../app/output';
import { tell } from '../../app/session';
import * as store from '../../app/store';
import { Copies } from '../../components/copies';
import { Folded } from '../../components/section';
import { p } from '../../content/placement';
import { s } from '../../content/strings';
import type { PlacePrepared } from '../../engine/placement/types';
import { terminalCommand } from './settings';
import { engine, generation, gpu, settings, stopped } from './state';

export function Export({ prepared }: { prepared: PlacePrepared }) {
  const gone = generation.value !== engine.generation;
  const hand = (name: string, type: string, text: Promise<string>) => text.then((t) => save(name, type, t), tell);
  const source = store.source.value;
  const renamed = prepared.arrays.some((a) => store.arrayNames.value[a.base] !== undefined);
  // The terminal names no arrays here.
  const command =
    source &&
    !renamed &&
    terminalCommand(
      settings.value,
      gpu.value,
      source.files.map((f) => f.name),
      source.example,
      store.scenario.value.cuda,
      prepared.arrays.map((a) => a.name),
    );
  return (
    <Folded title={p.export.heading} class="export" name="export">
      <p class="buttons">
        <Copies />
        <button
          type="button"
          disabled={gone || stopped.value}
          onClick={() =>
            void hand(
              'warpscope-placement.json',
              'application/json',
              engine.ask((r) => r.reportJson()),
            )
          }
        >
          {p.export.json}
        </button>
        <button
          type="button"
          disabled={gone}
          onClick={() =>
            void hand(
              'warpscope-placement.csv',
              'text/csv',
              engine.ask((r) => r.csv()),
            )
          }
        >
          {p.export.csv}
        </button>
      </p>
      {gone && <p class="quiet">{s.export.gone}</p>}
      <p class="quiet">{p.export.hint}</p>
      {command && (
        <>
          <p class="quiet">{p.export.terminal}</p>
          <pre tabIndex={0}>{command}</pre>
        </>
      )}
    </Folded>
  );
}
