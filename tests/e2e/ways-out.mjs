// What a script inside the page can try in order to reach another server: `WAYS[name](other, at)` runs in the page. `other` is an address
// on another port of this machine, `at` has the ports of its datagram socket (`udp`) and of its server (`tcp`).

const load = (tag, set) =>
  `async (other, at) => { const it = document.createElement('${tag}'); (${set})(it, other + '/${tag}'); document.body.append(it); }`;
const link = (rel, more = '') =>
  `async (other) => { const it = document.createElement('link'); it.rel = '${rel}'; ${more} it.href = other + '/${rel}'; document.head.append(it); }`;
const source = "(it, url) => { it.src = url; it.preload = 'auto'; it.load?.(); }";

/** Source text, because it is sent to the page. */
export const WAYS = {
  fetch: "(other) => fetch(other + '/fetch', { mode: 'no-cors' })",
  'fetch that outlives the page':
    "(other) => fetch(other + '/keepalive', { mode: 'no-cors', method: 'POST', body: 'secret', keepalive: true })",
  XMLHttpRequest:
    "(other) => new Promise((done, fail) => { const x = new XMLHttpRequest(); x.open('GET', other + '/xhr'); x.onload = done; x.onerror = fail; x.send(); })",
  beacon: "async (other) => navigator.sendBeacon(other + '/beacon', 'secret')",
  WebSocket:
    "(other) => new Promise((done, fail) => { const s = new WebSocket(other.replace('http', 'ws')); s.onopen = done; s.onerror = fail; })",
  EventSource:
    "(other) => new Promise((done, fail) => { const s = new EventSource(other + '/events'); s.onopen = done; s.onerror = () => { s.close(); fail(); }; })",
  WebTransport: '(other, at) => new WebTransport(`https://127.0.0.1:${at.udp}/`).ready',
  'WebRTC to a STUN server': `async (other, at) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + at.udp }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((done) => setTimeout(done, 1500));
    peer.close();
  }`,
  'WebRTC to a TURN server': `async (other, at) => {
    const urls = 'turn:127.0.0.1:' + at.tcp + '?transport=tcp';
    const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((done) => setTimeout(done, 1500));
    peer.close();
  }`,
  'WebRTC of a frame': `async (other, at) => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const peer = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + at.udp }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((done) => setTimeout(done, 1500));
    peer.close();
  }`,
  'WebRTC of a frame by its number': `async (other, at) => {
    document.body.append(document.createElement('iframe'));
    const peer = new window[0].RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + at.udp }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((done) => setTimeout(done, 1500));
    peer.close();
  }`,
  image: load('img', '(it, url) => { it.src = url; }'),
  'image set': load('img', "(it, url) => { it.srcset = url + ' 1x'; }"),
  'image of SVG': `async (other) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const it = document.createElementNS('http://www.w3.org/2000/svg', 'image');
    it.setAttribute('href', other + '/svg');
    svg.append(it);
    document.body.append(svg);
  }`,
  'shape of SVG': `async (other) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const it = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    it.setAttribute('href', other + '/svg#x');
    svg.append(it);
    document.body.append(svg);
  }`,
  audio: load('audio', source),
  video: load('video', source),
  poster: load('video', '(it, url) => { it.poster = url; }'),
  track: `async (other) => {
    const video = document.createElement('video');
    const track = document.createElement('track');
    track.src = other + '/track';
    track.default = true;
    video.append(track);
    document.body.append(video);
    track.track.mode = 'showing';
  }`,
  object: load('object', '(it, url) => { it.data = url; }'),
  embed: load('embed', '(it, url) => { it.src = url; }'),
  frame: load('iframe', '(it, url) => { it.src = url; }'),
  'frame from text': `async (other) => {
    const it = document.createElement('iframe');
    it.srcdoc = '<img src="' + other + '/srcdoc">';
    document.body.append(it);
  }`,
  'frame that moves on': `async (other) => {
    const it = document.createElement('iframe');
    document.body.append(it);
    it.contentWindow.location = other + '/moves';
  }`,
  script: load('script', '(it, url) => { it.src = url; }'),
  'script of modules': load('script', "(it, url) => { it.type = 'module'; it.src = url; }"),
  import: "(other) => import(other + '/import.js')",
  worker: "async (other) => new Worker(other + '/worker.js')",
  'worker from text': `async (other) => {
    const text = 'importScripts("' + other + '/imported.js"); fetch("' + other + '/inside")';
    new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
  }`,
  'shared worker': "async (other) => new SharedWorker(other + '/shared.js')",
  'service worker': "(other) => navigator.serviceWorker.register(other + '/sw.js')",
  'style sheet': link('stylesheet'),
  'import of a style sheet': `async (other) => {
    const it = document.createElement('style');
    it.textContent = '@import url(' + other + '/import.css);';
    document.head.append(it);
  }`,
  'background of an element': "async (other) => { document.body.style.backgroundImage = 'url(' + other + '/back)'; }",
  cursor: "async (other) => { document.body.style.cursor = 'url(' + other + '/cursor), auto'; }",
  'sheet made by script': `async (other) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('body { border-image: url(' + other + '/sheet) 1; }');
    document.adoptedStyleSheets = [sheet];
  }`,
  font: "(other) => new FontFace('x', 'url(' + other + '/font)').load()",
  manifest: link('manifest'),
  icon: link('icon'),
  prefetch: link('prefetch'),
  preload: link('preload', "it.as = 'fetch';"),
  modulepreload: link('modulepreload'),
  prerender: link('prerender'),
  preconnect: link('preconnect'),
  'rules of speculation': `async (other) => {
    const it = document.createElement('script');
    it.type = 'speculationrules';
    it.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [other + '/rules'] }] });
    document.head.append(it);
  }`,
  'form by GET': `async (other) => {
    const it = document.createElement('form');
    it.action = other + '/form';
    document.body.append(it);
    it.submit();
  }`,
  'form by POST in a frame': `async (other) => {
    const frame = document.createElement('iframe');
    frame.name = 'target';
    const it = document.createElement('form');
    Object.assign(it, { action: other + '/form', method: 'post', target: 'target' });
    document.body.append(frame, it);
    it.submit();
  }`,
  ping: `async (other) => {
    const it = document.createElement('a');
    it.href = '#v=1';
    it.ping = other + '/ping';
    document.body.append(it);
    it.click();
  }`,
  'a window': "async (other) => open(other + '/window')",
};

/** Ways to leave the page for another one. No policy forbids them; the page itself does. */
export const LEAVES = {
  location: "async (other) => { location.href = other + '/location'; }",
  'a link that a script clicks': `async (other) => {
    const it = document.createElement('a');
    it.href = other + '/click';
    document.body.append(it);
    it.click();
  }`,
  'meta refresh': `async (other) => {
    const it = document.createElement('meta');
    it.httpEquiv = 'refresh';
    it.content = '0; url=' + other + '/refresh';
    document.head.append(it);
  }`,
};
