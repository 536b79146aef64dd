// The whole window takes files.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { reportCrash } from '../../app/session';
import { openFiles } from '../../app/sources';
import { droppedFiles } from '../../app/files';
import { s } from '../../content/strings';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

export function DropLayer() {
  const over = useSignal(false);
  useEffect(() => {
    // Entering a child leaves its parent: count, to know when the pointer has left the window.
    let depth = 0;
    const enter = (e: DragEvent) => hasFiles(e) && (depth++, (over.value = true));
    const leave = (e: DragEvent) => hasFiles(e) && (depth = Math.max(0, depth - 1)) === 0 && (over.value = false);
    const move = (e: DragEvent) => hasFiles(e) && e.preventDefault();
    const drop = (e: DragEvent) => {
      if (!e.dataTransfer) return;
      e.preventDefault();
      depth = 0;
      over.value = false;
      droppedFiles(e.dataTransfer).then(openFiles, reportCrash);
    };
    const pairs = [
      ['dragenter', enter],
      ['dragleave', leave],
      ['dragover', move],
      ['drop', drop],
    ] as const;
    for (const [name, handler] of pairs) addEventListener(name, handler as EventListener);
    return () => pairs.forEach(([name, handler]) => removeEventListener(name, handler as EventListener));
  }, []);
  return over.value ? (
    <div class="drop-layer" aria-hidden="true">
      {s.source.dropNow}
    </div>
  ) : null;
}
