// What the page says to its service worker.

/** The newer worker shall take over at once. */
export const TAKE_OVER = 'take over';
/** Files of earlier versions may go. */
export const TIDY = 'tidy';
