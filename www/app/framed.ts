// Whether another page shows this one in a frame without having been asked to.

/**
 * A site around the page can lay its own things over it and so steer what a visitor drops. Hosts forbid frames by a header, which
 * not every static host can send. An address with `?embed` asks for the frame.
 */
export const framed = () => window.top !== window.self && !embedded();

/** The address asks for one figure, to be shown in another page. */
export const embedded = () => new URLSearchParams(location.search).has('embed');

/** The same state with all there is around it. */
export const fullAddress = () => `${location.origin}${location.pathname}${location.hash}`;
