// Stub: proves that page and worker share one engine. The page proper replaces it.
import { wrap } from 'comlink';
import { h, render } from 'preact';
import type { Engine } from './engine/worker';
import { missingFeature } from './engine/support';
import './styles/main.css';

const show = (text: string) => render(h('main', { id: 'app' }, h('h1', null, 'Warpscope'), h('p', { id: 'result' }, text)), document.body);

const missing = missingFeature();
if (missing) {
  show(missing);
} else {
  const engine = wrap<Engine>(new Worker(new URL('./engine/worker.ts', import.meta.url), { type: 'module' }));
  engine.version().then((version) => show(`engine ${version}`), (error) => show(`failed: ${error}`));
}
