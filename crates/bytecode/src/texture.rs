//! Texture fetches: addressing modes, filtering and the tiled layout.
//!
//! In: a texture, its data and the coordinates of one lane. Out: the bits of one channel, and the offset of the nearest
//! texel, which is the address that the trace records. A filtered fetch reads up to four texels per plane but records
//! this one only.
//!
//! The layout places texels that are close in two dimensions close in memory. A tile has 8 rows of 64 bytes, and tiles
//! follow one another in row order. This is the smallest unit of NVIDIA's block-linear surfaces. Their larger units are
//! not modelled. One-dimensional textures are linear.

use crate::code::Fetch;
use crate::memory::read_bytes;

/// The addressing mode of coordinates outside the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Edge {
    #[default]
    Clamp,
    Wrap,
    Mirror,
    /// Coordinates outside the texture give 0.
    Border,
}

/// A texture reference or texture object that is bound to an array.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// Number of the memory object with its data.
    pub object: usize,
    /// Texels in x.
    pub width: u64,
    /// Texels in y.
    pub height: u64,
    /// Texels in z.
    pub depth: u64,
    /// Bytes of a texel.
    pub texel: u64,
    /// Bytes of one of its channels.
    pub channel: u64,
    /// Whether the channels are signed. This matters for integers of less than 4 bytes.
    pub signed: bool,
    /// What coordinates outside the texture mean.
    pub edge: Edge,
    /// Whether fetches of floats interpolate between texels.
    pub linear: bool,
    /// Whether coordinates run from 0 to 1.
    pub normalized: bool,
}

const TILE_ROW: u64 = 64;
const TILE_ROWS: u64 = 8;

impl Texture {
    /// Offset of a texel in the row-major data that the emulator keeps.
    fn row_major_offset(&self, x: u64, y: u64, z: u64) -> u64 {
        ((z * self.height + y) * self.width + x) * self.texel
    }

    /// Offset of a texel in the tiled layout, as it appears in the trace.
    pub fn tiled_offset(&self, x: u64, y: u64, z: u64) -> u64 {
        if self.height <= 1 && self.depth <= 1 {
            return x * self.texel;
        }
        let across = (self.width * self.texel).div_ceil(TILE_ROW);
        let down = self.height.div_ceil(TILE_ROWS);
        let byte = x * self.texel;
        let tile = (z * down + y / TILE_ROWS) * across + byte / TILE_ROW;
        tile * TILE_ROW * TILE_ROWS + y % TILE_ROWS * TILE_ROW + byte % TILE_ROW
    }

    /// Applies the addressing mode to an index. `None` is the border.
    fn apply_edge(&self, index: i64, size: u64) -> Option<u64> {
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

    fn value(&self, data: &[u8], texel: [Option<u64>; 3], fetch: Fetch) -> u32 {
        let [Some(x), Some(y), Some(z)] = texel else { return 0 };
        let at = (self.row_major_offset(x, y, z) + u64::from(fetch.channel) * self.channel) as usize;
        let raw = self.raw(data, at);
        if !fetch.unit || self.channel > 2 {
            return raw;
        }
        let most = (1u32 << (8 * self.channel - u64::from(self.signed))) - 1;
        let value = if self.signed { raw as i32 as f32 } else { raw as f32 };
        (value / most as f32).max(-1.0).to_bits()
    }

    fn raw(&self, data: &[u8], at: usize) -> u32 {
        match self.channel {
            1 if self.signed => i32::from(read_bytes::<1>(data, at)[0] as i8) as u32,
            1 => u32::from(read_bytes::<1>(data, at)[0]),
            2 if self.signed => i32::from(i16::from_le_bytes(read_bytes(data, at))) as u32,
            2 => u32::from(u16::from_le_bytes(read_bytes(data, at))),
            _ => u32::from_le_bytes(read_bytes(data, at)),
        }
    }

    /// Fetches one channel. Returns its bits and the offset of the nearest texel in the tiled layout.
    pub fn fetch_channel(&self, data: &[u8], raw: [u32; 3], fetch: Fetch) -> (u32, u64) {
        let sizes = [self.width, self.height, self.depth];
        let dimensions = usize::from(fetch.dimensions);
        if fetch.whole {
            let x = self.apply_edge(i64::from(raw[0] as i32), self.width);
            return (self.value(data, [x, Some(0), Some(0)], fetch), self.tiled_offset(x.unwrap_or(0), 0, 0));
        }
        let scaled = |d: usize| {
            let c = f64::from(f32::from_bits(raw[d]));
            if fetch.layered && d + 1 == dimensions {
                // The middle of the layer, between which and the next nothing is interpolated.
                c + 0.5
            } else if self.normalized {
                c * sizes[d] as f64
            } else {
                c
            }
        };
        let index =
            |d: usize, c: f64| if d < dimensions { self.apply_edge(libm::floor(c) as i64, sizes[d]) } else { Some(0) };
        let nearest: [Option<u64>; 3] = std::array::from_fn(|d| index(d, if d < dimensions { scaled(d) } else { 0.0 }));
        let offset = self.tiled_offset(nearest[0].unwrap_or(0), nearest[1].unwrap_or(0), nearest[2].unwrap_or(0));
        if !self.linear || fetch.integer {
            return (self.value(data, nearest, fetch), offset);
        }
        let mut sum = 0.0;
        for corner in 0..1usize << dimensions {
            let (mut weight, mut texel) = (1.0, [Some(0); 3]);
            for (d, slot) in texel.iter_mut().enumerate().take(dimensions) {
                let c = scaled(d) - 0.5;
                let low = libm::floor(c);
                // The device keeps 8 bits of the fraction.
                let fraction = libm::round((c - low) * 256.0) / 256.0;
                let up = corner >> d & 1 == 1;
                weight *= if up { fraction } else { 1.0 - fraction };
                *slot = index(d, low + f64::from(u8::from(up)));
            }
            sum += weight * f64::from(f32::from_bits(self.value(data, texel, fetch)));
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
        let fetch = Fetch { dimensions: 2, whole: false, channel: 0, integer: false, layered: false, unit: false };
        let read = |t: &Texture, x: f32, y: f32| {
            f32::from_bits(t.fetch_channel(&data, [x.to_bits(), y.to_bits(), 0], fetch).0)
        };
        assert_eq!(read(&t(Edge::Clamp), 9.5, 0.5), 3.0);
        assert_eq!(read(&t(Edge::Wrap), 5.5, 1.5), 5.0);
        assert_eq!(read(&t(Edge::Mirror), 4.5, 0.5), 3.0);
        assert_eq!(read(&t(Edge::Border), -0.5, 0.5), 0.0);
        let linear = Texture { linear: true, ..t(Edge::Clamp) };
        assert_eq!(read(&linear, 1.0, 1.0), 2.5);
        let layered = Fetch { layered: true, ..fetch };
        let at = |x: f32, layer: f32| {
            f32::from_bits(linear.fetch_channel(&data, [x.to_bits(), layer.to_bits(), 0], layered).0)
        };
        assert_eq!([at(1.0, 0.0), at(1.0, 1.0)], [0.5, 4.5]);
        let bytes = Texture { channel: 1, texel: 1, ..t(Edge::Clamp) };
        let unit = Fetch { unit: true, ..fetch };
        let half = 1.5f32.to_bits();
        assert_eq!(f32::from_bits(bytes.fetch_channel(&[0, 51, 0, 0, 0, 0, 0, 0], [half, 0, 0], unit).0), 0.2);
        let wide = Texture { width: 32, height: 16, depth: 1, texel: 4, ..Texture::default() };
        assert_eq!(wide.tiled_offset(0, 1, 0), 64);
        assert_eq!(wide.tiled_offset(16, 0, 0), 512);
        assert_eq!(wide.tiled_offset(0, 8, 0), 1024);
    }
}
