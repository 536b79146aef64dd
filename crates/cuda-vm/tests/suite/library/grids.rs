//! References of the convolutions and stencils. Points on the rim keep their values.

use super::case::{Case, Outputs, Values};

/// Computes every inner point of a grid of `sizes` (x fastest) with `point(index)`; the rim stays `old`.
fn inner(old: Vec<f32>, sizes: &[usize], point: impl Fn(usize) -> f32) -> Vec<f32> {
    let on_rim = |mut i: usize| {
        sizes.iter().any(|&n| {
            let at = i % n;
            i /= n;
            at == 0 || at == n - 1
        })
    };
    old.iter().enumerate().map(|(i, &old)| if on_rim(i) { old } else { point(i) }).collect()
}

pub fn conv2d(c: &Case) -> Outputs {
    const WEIGHTS: [[f32; 3]; 3] = [[0.2, 0.5, -0.8], [-0.3, 0.6, -0.9], [0.4, 0.7, 0.1]];
    let (image, width, height) = (c.f32("image"), c.size("width"), c.size("height"));
    let result = inner(c.f32("result"), &[width, height], |i| {
        let corner = i - width - 1;
        let mut sum = 0.0f32;
        for (dy, row) in WEIGHTS.iter().enumerate() {
            for (dx, weight) in row.iter().enumerate() {
                sum = weight.mul_add(image[corner + dy * width + dx], sum);
            }
        }
        sum
    });
    vec![("result", Values::Float(result))]
}

pub fn conv3d(c: &Case) -> Outputs {
    let (a, nx, ny, nz) = (c.f32("A"), c.size("nx"), c.size("ny"), c.size("nz"));
    let result = inner(c.f32("B"), &[nx, ny, nz], |i| {
        let at = |dx: isize, dy: isize, dz: isize| {
            f64::from(a[i.wrapping_add_signed(dx + (dy + dz * ny as isize) * nx as isize)])
        };
        let sum = 0.2 * (at(-1, -1, -1) + at(1, -1, -1)) + 0.5 * (at(-1, 1, -1) + at(1, 1, -1))
            - 0.8 * at(0, 0, 0)
            - 0.3 * (at(-1, -1, 1) + at(1, -1, 1) + at(0, 1, 1))
            + 0.6 * (at(-1, 0, 0) + at(1, 0, 0) + at(0, 0, 1));
        sum as f32
    });
    vec![("B", Values::Float(result))]
}

pub fn stencil(c: &Case) -> Outputs {
    let (s, width, height) = (c.f32("source"), c.size("width"), c.size("height"));
    let target = inner(c.f32("target"), &[width, height], |i| {
        0.6 * s[i] + 0.1 * (s[i - 1] + s[i + 1] + s[i - width] + s[i + width])
    });
    vec![("target", Values::Float(target))]
}

pub fn stencil_9(c: &Case) -> Outputs {
    let (s, width, height) = (c.f32("source"), c.size("width"), c.size("height"));
    let target = inner(c.f32("target"), &[width, height], |i| {
        let (above, below) = (i - width, i + width);
        let edges = s[i - 1] + s[i + 1] + s[above] + s[below];
        let corners = s[above - 1] + s[above + 1] + s[below - 1] + s[below + 1];
        0.4 * s[i] + 0.1 * edges + 0.05 * corners
    });
    vec![("target", Values::Float(target))]
}

pub fn stencil_7(c: &Case) -> Outputs {
    let (s, nx, ny, nz) = (c.f32("source"), c.size("nx"), c.size("ny"), c.size("nz"));
    let plane = nx * ny;
    let target = inner(c.f32("target"), &[nx, ny, nz], |i| {
        let around = s[i - 1] + s[i + 1] + s[i - nx] + s[i + nx] + s[i - plane] + s[i + plane];
        0.4 * s[i] + 0.1 * around
    });
    vec![("target", Values::Float(target))]
}
