// Parts of the page that wait for their turn to be rendered, one per frame, so that no task keeps the page from answering.

/** What shows each part, in the order in which they came. */
const waiting: (() => void)[] = [];

/** The longest wait for a frame, in ms: a hidden window paints none. */
const NO_FRAME = 100;

/** Calls back once the next frame is painted. */
function afterFrame(next: () => void) {
  let called = false;
  const once = () => {
    if (!called) next();
    called = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, NO_FRAME);
}

function showNext() {
  waiting.shift()?.();
  if (waiting.length > 0) afterFrame(showNext);
}

/** Calls `show` when it is the part's turn; the function that it returns takes the part out again. */
export function showLater(show: () => void): () => void {
  if (waiting.push(show) === 1) afterFrame(showNext);
  return () => {
    const at = waiting.indexOf(show);
    if (at >= 0) waiting.splice(at, 1);
  };
}

/** Calls back when all parts are painted and the browser has nothing better to do. */
export function afterParts(next: () => void) {
  afterFrame(() => {
    if (waiting.length > 0) afterParts(next);
    else if (typeof requestIdleCallback === 'function') requestIdleCallback(next);
    else setTimeout(next);
  });
}
