//! References of the particle kernels.

use super::case::{Case, Outputs, Values};

fn bodies(c: &Case, name: &str) -> Vec<[f32; 4]> {
    c.f32(name).chunks(4).map(|b| [b[0], b[1], b[2], b[3]]).collect()
}

fn difference(a: [f32; 4], b: [f32; 4]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn square(d: [f32; 3]) -> f32 {
    d[2].mul_add(d[2], d[0].mul_add(d[0], d[1] * d[1]))
}

/// The sum of d·s over all `pairs`, followed by a zero.
fn sum(pairs: impl Iterator<Item = ([f32; 3], f32)>) -> [f32; 4] {
    pairs.fold([0.0; 4], |f, (d, s)| [d[0].mul_add(s, f[0]), d[1].mul_add(s, f[1]), d[2].mul_add(s, f[2]), 0.0])
}

pub fn nbody(c: &Case) -> Outputs {
    let body = bodies(c, "body");
    let force = body.iter().flat_map(|&me| {
        sum(body.iter().map(|&other| {
            let d = difference(other, me);
            let inverse = 1.0 / (square(d) + 0.01).sqrt();
            (d, other[3] * inverse * inverse * inverse)
        }))
    });
    vec![("force", Values::Float(force.collect()))]
}

pub fn md_lj(c: &Case) -> Outputs {
    let (position, neighbour) = (bodies(c, "position"), c.i32("neighbour"));
    let (n, cutoff) = (c.size("n"), 0.25);
    let force = (0..n).flat_map(|i| {
        let others = neighbour.iter().skip(i).step_by(n).map(|&j| position[j as usize]);
        let close = others.filter_map(|other| {
            let d = difference(position[i], other);
            let r2 = square(d);
            (r2 > 0.0 && r2 < cutoff).then_some((d, r2))
        });
        sum(close.map(|(d, r2)| {
            let r2inv = 1.0 / r2;
            let r6inv = r2inv * r2inv * r2inv;
            (d, r2inv * r6inv * 1.5f32.mul_add(r6inv, -2.0))
        }))
    });
    vec![("force", Values::Float(force.collect()))]
}
