// The help in one dialog. Its text comes when it is opened.

import { useEffect, useRef } from 'preact/hooks';
import { helpOpen } from '../../app/store';
import { Lazy } from '../../components/lazy';
import { s } from '../../content/strings';

const load = () => import(/* webpackChunkName: 'help' */ './help-text').then((module) => module.HelpText);

export function HelpSheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      <div class="card-head">
        <h2 id="help-title">{s.help.heading}</h2>
        <button type="button" onClick={() => (helpOpen.value = false)}>
          {s.help.close}
        </button>
      </div>
      {open && <Lazy load={load} props={{}} />}
    </dialog>
  );
}
