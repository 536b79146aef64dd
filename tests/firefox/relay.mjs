#!/usr/bin/env node
// Firefox ESR for Playwright, which starts this program in its place. Playwright speaks a newer WebDriver BiDi than this Firefox: it ends when a
// command of it is refused, and passes over downloads without a number. Both are put right here, and all else goes through.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

/** Sets colours and motion of pages. They stay those of the system. */
const NOT_THERE = 'emulation.setMediaFeaturesOverride';
const DOWNLOAD = /"method":"browsingContext\.download(WillBegin|End)"/;
const LISTENS = /^WebDriver BiDi listening on (ws:\/\/\S+)$/;

const firefox = spawn('/usr/bin/firefox-esr', process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.on('exit', (status) => process.exit(status ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));
createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, address] = LISTENS.exec(line) ?? [];
  if (address) relay(address);
  else console.error(line);
});

/** A message of Firefox, in which the address of a download, which no other has, is its number. */
function withNumber(text) {
  if (!DOWNLOAD.test(text)) return text;
  const message = JSON.parse(text);
  message.params.download ??= message.params.url;
  return JSON.stringify(message);
}

/** Listens in place of the Firefox at `address`, and says where. */
function relay(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('listening', () => console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`));
  server.on('connection', (playwright, { url }) => {
    const browser = new WebSocket(address + url);
    const early = [];
    browser.on('open', () => early.splice(0).forEach((text) => browser.send(text)));
    browser.on('message', (data) => playwright.send(withNumber(`${data}`)));
    browser.on('error', () => playwright.close());
    browser.on('close', () => playwright.close());
    playwright.on('close', () => browser.close());
    playwright.on('message', (data) => {
      const { id, method } = JSON.parse(data);
      if (method === NOT_THERE) playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
      else if (browser.readyState === WebSocket.OPEN) browser.send(`${data}`);
      else early.push(`${data}`);
    });
  });
}
