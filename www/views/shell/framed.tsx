// What stands in place of the page in a frame that nobody asked for.
import { FRAMED } from '../../content/framed';

/** A note and the way to the page itself. */
export const Framed = () => (
  <main class="card">
    <h1>{FRAMED.title}</h1>
    <p>{FRAMED.note}</p>
    <p>
      <a href={location.href} target="_blank" rel="noopener noreferrer">
        {FRAMED.open}
      </a>
    </p>
  </main>
);
