// One figure for a page around this one: what the open tab says first, and nothing to change.

import { crash, diagnostics, wanted } from '../../app/store';
import { tab } from '../../app/tabs';
import { fullAddress } from '../../app/framed';
import { CrashCard } from '../../components/crash-card';
import { Diagnostics } from '../../components/diagnostics';
import { Toast } from '../../components/toast';
import { EMBED } from '../../content/embed';
import { s } from '../../content/strings';
import { CacheView } from '../cache/cache-view';
import { LazyTab } from './lazy-tab';
import '../../styles/embed.css';

/** What stands in the way of a result; the full page has the means against it. */
function Trouble() {
  if (crash.value) return <CrashCard crash={crash.value} />;
  if (wanted.value.length > 0) return <p class="card">{EMBED.wanted}</p>;
  return diagnostics.value.length > 0 ? <Diagnostics /> : null;
}

export function Embed() {
  const ofCache = tab.value === 'cache' || tab.value === 'kernel';
  return (
    <div class="embed">
      <header>
        <h1 class="unseen">{s.name}</h1>
      </header>
      <Toast />
      {ofCache ? (
        <main id="result">
          <Trouble />
          <CacheView />
        </main>
      ) : (
        <LazyTab id={tab.value} />
      )}
      <footer>
        {/* The address has the result once the run is done. */}
        <a
          href={fullAddress()}
          target="_blank"
          rel="noopener noreferrer"
          onClick={(event) => (event.currentTarget.href = fullAddress())}
        >
          {EMBED.open}
        </a>
      </footer>
    </div>
  );
}
