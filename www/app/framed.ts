// Whether another page shows this one in a frame without having been asked to.

/**
 * A site around the page can lay its own things over it and so steer what a visitor drops. Hosts forbid frames by a header, which
 * not every static host can send. An address with `?embed` asks for the frame.
 */
export const framed = () => window.top !== window.self && !new URLSearchParams(location.search).has('embed');
