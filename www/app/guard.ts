// Closes ways out that the policy in index.html has no word for. docs/hosting.md lists what stays open where.

/** A navigation of this window, as the browser announces it. TypeScript's library does not know it yet. */
interface Leaving extends Event {
  destination: { url: string };
  userInitiated: boolean;
}

/** Peer-to-peer connections begin with messages to any server that a script names. */
const PEERS = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection'];

/** The page makes no frame. A fresh one would have all that is taken away here. */
const INTO_FRAMES = ['contentWindow', 'contentDocument'];

/** Only a person leaves the page. What it hands out as a file has an address of this page (`blob:`). */
function stay(event: Event) {
  const { destination, userInitiated } = event as Leaving;
  const { origin } = new URL(destination.url);
  if (!userInitiated && origin !== location.origin) event.preventDefault();
}

export function closeWaysOut() {
  for (const name of PEERS) Reflect.deleteProperty(globalThis, name);
  for (const name of INTO_FRAMES) Object.defineProperty(HTMLIFrameElement.prototype, name, { value: null });
  window.open = () => null;
  const { navigation } = globalThis as { navigation?: EventTarget };
  navigation?.addEventListener('navigate', stay);
}
