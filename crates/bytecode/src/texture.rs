//! Textures: coordinates, filtering, and the layout in which neighbours in two dimensions lie close together.
//!
//! Rows of 64 bytes and 8 rows make a tile of 512 bytes, tile after tile (as NVIDIA's block-linear surfaces do in their
//! smallest unit; larger units are not modelled). One-dimensional textures are linear. A filtered fetch reads up to four
//! texels; the address that is recorded is that of the nearest one.

use crate::code::Fetch;
use crate::memory::get;

/// What happens beyond the edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edge {
    #[default]
    Clamp,
    Wrap,
    Mirror,
    /// Zero.
    Border,
}

/// A texture that is bound.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    pub object: usize,
    pub width: u64,
    pub height: u64,
    pub depth: u64,
    /// Bytes of a texel, and of one of its channels.
    pub texel: u64,
    pub channel: u64,
    /// The channels are signed, where they are integers of less than 4 bytes.
    pub signed: bool,
    pub edge: Edge,
    pub linear: bool,
    pub normalized: bool,
}

const TILE_ROW: u64 = 64;
const TILE_ROWS: u64 = 8;

impl Texture {
    /// Offset of a texel in memory, row after row.
    fn plain(&self, x: u64, y: u64, z: u64) -> u64 {
        ((z * self.height + y) * self.width + x) * self.texel
    }

    /// Offset of a texel in the tiled layout.
    pub fn tiled(&self, x: u64, y: u64, z: u64) -> u64 {
        if self.height <= 1 && self.depth <= 1 {
            return x * self.texel;
        }
        let across = (self.width * self.texel).div_ceil(TILE_ROW);
        let down = self.height.div_ceil(TILE_ROWS);
        let byte = x * self.texel;
        let tile = (z * down + y / TILE_ROWS) * across + byte / TILE_ROW;
        tile * TILE_ROW * TILE_ROWS + y % TILE_ROWS * TILE_ROW + byte % TILE_ROW
    }

    /// Where an index beyond the edge goes; `None` is the border.
    fn inside(&self, index: i64, size: u64) -> Option<u64> {
        let n = size.max(1) as i64;
        match self.edge {
            Edge::Clamp => Some(index.clamp(0, n - 1) as u64),
            Edge::Wrap => Some(index.rem_euclid(n) as u64),
            Edge::Mirror => {
                let i = index.rem_euclid(2 * n);
                Some(if i < n { i } else { 2 * n - 1 - i } as u64)
            }
            Edge::Border => (0..n).contains(&index).then_some(index as u64),
        }
    }

    fn value(&self, data: &[u8], place: [Option<u64>; 3], fetch: Fetch) -> u32 {
        let [Some(x), Some(y), Some(z)] = place else { return 0 };
        let at = (self.plain(x, y, z) + u64::from(fetch.channel) * self.channel) as usize;
        match self.channel {
            1 if self.signed => i32::from(get::<1>(data, at)[0] as i8) as u32,
            1 => u32::from(get::<1>(data, at)[0]),
            2 if self.signed => i32::from(i16::from_le_bytes(get(data, at))) as u32,
            2 => u32::from(u16::from_le_bytes(get(data, at))),
            _ => u32::from_le_bytes(get(data, at)),
        }
    }

    /// Fetches one channel: its bits, and the offset of the texel for the trace.
    pub fn fetch(&self, data: &[u8], raw: [u32; 3], fetch: Fetch) -> (u32, u64) {
        let sizes = [self.width, self.height, self.depth];
        let dimensions = usize::from(fetch.dimensions);
        if fetch.whole {
            let x = self.inside(i64::from(raw[0] as i32), self.width);
            return (self.value(data, [x, Some(0), Some(0)], fetch), self.tiled(x.unwrap_or(0), 0, 0));
        }
        let scaled = |d: usize| {
            let c = f64::from(f32::from_bits(raw[d]));
            if self.normalized {
                c * sizes[d] as f64
            } else {
                c
            }
        };
        let index =
            |d: usize, c: f64| if d < dimensions { self.inside(libm::floor(c) as i64, sizes[d]) } else { Some(0) };
        let nearest: [Option<u64>; 3] = std::array::from_fn(|d| index(d, if d < dimensions { scaled(d) } else { 0.0 }));
        let offset = self.tiled(nearest[0].unwrap_or(0), nearest[1].unwrap_or(0), nearest[2].unwrap_or(0));
        if !self.linear || fetch.integer {
            return (self.value(data, nearest, fetch), offset);
        }
        let mut sum = 0.0;
        for corner in 0..1usize << dimensions {
            let (mut weight, mut place) = (1.0, [Some(0); 3]);
            for (d, slot) in place.iter_mut().enumerate().take(dimensions) {
                let c = scaled(d) - 0.5;
                let low = libm::floor(c);
                // The device keeps 8 bits of the fraction.
                let fraction = libm::round((c - low) * 256.0) / 256.0;
                let up = corner >> d & 1 == 1;
                weight *= if up { fraction } else { 1.0 - fraction };
                *slot = index(d, low + f64::from(u8::from(up)));
            }
            sum += weight * f64::from(f32::from_bits(self.value(data, place, fetch)));
        }
        ((sum as f32).to_bits(), offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_tiles_and_filters() {
        let t = |edge| Texture { width: 4, height: 2, depth: 1, texel: 4, channel: 4, edge, ..Texture::default() };
        let data: Vec<u8> = (0..8).flat_map(|i| (i as f32).to_le_bytes()).collect();
        let fetch = Fetch { dimensions: 2, whole: false, channel: 0, integer: false };
        let read = |t: &Texture, x: f32, y: f32| f32::from_bits(t.fetch(&data, [x.to_bits(), y.to_bits(), 0], fetch).0);
        assert_eq!(read(&t(Edge::Clamp), 9.5, 0.5), 3.0);
        assert_eq!(read(&t(Edge::Wrap), 5.5, 1.5), 5.0);
        assert_eq!(read(&t(Edge::Mirror), 4.5, 0.5), 3.0);
        assert_eq!(read(&t(Edge::Border), -0.5, 0.5), 0.0);
        let linear = Texture { linear: true, ..t(Edge::Clamp) };
        assert_eq!(read(&linear, 1.0, 1.0), 2.5);
        let wide = Texture { width: 32, height: 16, depth: 1, texel: 4, ..Texture::default() };
        assert_eq!(wide.tiled(0, 1, 0), 64);
        assert_eq!(wide.tiled(16, 0, 0), 512);
        assert_eq!(wide.tiled(0, 8, 0), 1024);
    }
}
