// The icons of the installed page: three bars on a square, as the page's own icon in index.html. Drawn here as points, because a
// PNG needs nothing but zlib.
import { deflateSync } from 'node:zlib';

const GROUND = [0x0b, 0x5c, 0xad];
const BAR = [0xff, 0xff, 0xff];
/** In sixteenths of the side: left, top, right, bottom. */
const BARS = [
  [3, 8, 5, 12],
  [7, 4, 9, 12],
  [11, 6, 13, 12],
];
/** The radius of the corners, in sixteenths. */
const ROUND = 3;
/** Points per side that are looked at inside each pixel. */
const FINE = 4;

/** The colour at a point of the unit square times 16; null outside. `whole`: without corners, for systems that cut their own shape. */
function colourAt(x, y, whole) {
  const dx = Math.max(ROUND - x, x - (16 - ROUND), 0);
  const dy = Math.max(ROUND - y, y - (16 - ROUND), 0);
  if (!whole && dx * dx + dy * dy > ROUND * ROUND) return null;
  // A cut shape keeps the middle four fifths.
  const [u, v] = whole ? [8 + (x - 8) / 0.8, 8 + (y - 8) / 0.8] : [x, y];
  return BARS.some(([left, top, right, bottom]) => u >= left && u < right && v >= top && v < bottom) ? BAR : GROUND;
}

/** Red, green, blue and opacity of a pixel: the mean of its points. */
function pixel(column, row, side, whole) {
  let seen = 0;
  const sum = [0, 0, 0];
  for (let i = 0; i < FINE * FINE; i += 1) {
    const x = ((column + ((i % FINE) + 0.5) / FINE) * 16) / side;
    const y = ((row + (Math.floor(i / FINE) + 0.5) / FINE) * 16) / side;
    const colour = colourAt(x, y, whole);
    if (!colour) continue;
    seen += 1;
    colour.forEach((value, channel) => (sum[channel] += value));
  }
  return [...sum.map((value) => (seen ? Math.round(value / seen) : 0)), Math.round((255 * seen) / (FINE * FINE))];
}

/** CRC-32 as PNG wants it (ISO 3309). */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(kind, content) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

/** The icon as a PNG of `side` by `side` pixels. */
export function icon(side, whole = false) {
  const rows = [];
  for (let row = 0; row < side; row += 1) {
    rows.push(0); // each row begins with its filter: none
    for (let column = 0; column < side; column += 1) rows.push(...pixel(column, row, side, whole));
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 6, 0, 0, 0], 8); // 8 bits per channel, RGBA
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
