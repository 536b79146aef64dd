// What stands in place of the page in a browser that cannot run the engine.

import { first } from '../../app/first';
import { currentHash } from '../../app/url';
import { AT_THE_TERMINAL } from '../../content/embed';

export function Missing({ feature }: { feature: string }) {
  // In quotes of the shell; a link of the page has none inside.
  const link = (currentHash() || first.link).replaceAll("'", '%27');
  return (
    <main class="card">
      <p>{feature}</p>
      <p>{AT_THE_TERMINAL}</p>
      <pre tabIndex={0}>{`warpscope open '${link}'`}</pre>
    </main>
  );
}
