//! Changes of a kernel's text other than moves of arrays, which people try beside them.
//!
//! * `restrict`: each pointer parameter becomes `__restrict__`, so that stores hold up no loads.
//! * `readonly`: each array that the kernel only reads is read with `__ldg`.
//! * `padding`: the rows of each shared array with several dimensions get one more element, against bank conflicts.
//! * `block=32x8`: the launch comment has another block, and a grid of at least as many threads.
//! * `threads=32x8`: the same with the grid as it is, for kernels whose blocks walk through their part of the work.
//!
//! * `unguarded`: reads of tiles lose the bounds tests around them, and the copies fill with zeros what is outside of the array.
//!   `place` does it by itself wherever the results stay.
//!
//! Whether a change keeps the results is for the emulator to check: `restrict` is a promise, and a kernel may rely on its
//! block.
//!
//! Source: CUDA C++ programming guide (`__restrict__`, `__ldg`), best practices guide (bank conflicts in a transpose).

use crate::rewrite::facts::LaunchFacts;
use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::uses::Doing;
use crate::rewrite::{Refusal, Rewritten, Space};
use crate::syntax::ast::{Restrict, TypeKind};
use crate::syntax::lex;
use std::fmt;
use std::ops::Range;

/// A change of a kernel's text other than a move of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextChange {
    /// Pointer parameters are `__restrict__`.
    Restrict,
    /// Arrays that are only read are read with `__ldg`.
    ReadOnly,
    /// Rows of shared arrays have one more element.
    Padding,
    /// Reads of the tiles that arrays move to have no bounds tests of their own.
    Unguarded,
    /// Threads of a block in each direction, with a grid of at least as many threads as before.
    Block([u32; 3]),
    /// Threads of a block in each direction, with the grid as it is.
    Threads([u32; 3]),
}

/// Sizes of a block that are tried beside the present one, as parts of its threads.
const TIMES: [(u32, u32); 3] = [(1, 1), (1, 2), (2, 1)];
/// Threads of a block in its first direction that are tried. Whole warps come first.
const WIDTHS: [u32; 5] = [32, 64, 128, 16, 8];
/// Other blocks that are tried at most.
const BLOCKS: usize = 6;
/// CUDA's limits of a block (programming guide, "Technical Specifications per Compute Capability").
const THREADS_MAX: u32 = 1024;
const WARP: u32 = 32;

impl TextChange {
    /// The change with this name, as [`fmt::Display`] writes it.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "restrict" => Some(Self::Restrict),
            "readonly" => Some(Self::ReadOnly),
            "padding" => Some(Self::Padding),
            "unguarded" => Some(Self::Unguarded),
            _ => {
                let (what, shape) = name.split_once('=')?;
                let mut sides = shape.split('x').map(|side| side.parse().ok().filter(|side| *side > 0));
                let block = [sides.next()??, sides.next().unwrap_or(Some(1))?, sides.next().unwrap_or(Some(1))?];
                match (what, sides.next()) {
                    ("block", None) => Some(Self::Block(block)),
                    ("threads", None) => Some(Self::Threads(block)),
                    _ => None,
                }
            }
        }
    }

    /// Whether it is another block.
    pub fn is_block(self) -> bool {
        matches!(self, Self::Block(_) | Self::Threads(_))
    }

    /// The change to try where this one gives other results.
    pub fn instead(self) -> Option<Self> {
        match self {
            Self::Block(block) => Some(Self::Threads(block)),
            _ => None,
        }
    }

    /// The changes that people would try for a launch, whether they are possible or not.
    pub fn to_try(facts: &LaunchFacts) -> Vec<Self> {
        let mut changes = vec![Self::Restrict, Self::ReadOnly, Self::Padding];
        changes.extend(blocks(facts.block).into_iter().map(Self::Block));
        changes
    }
}

impl fmt::Display for TextChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Restrict => f.write_str("restrict"),
            Self::ReadOnly => f.write_str("readonly"),
            Self::Padding => f.write_str("padding"),
            Self::Unguarded => f.write_str("unguarded"),
            Self::Block(block) => write!(f, "block={}", by(block)),
            Self::Threads(block) => write!(f, "threads={}", by(block)),
        }
    }
}

/// The sides of a block, without those at the end that are 1.
fn by(block: &[u32; 3]) -> String {
    let sides = block.iter().rposition(|side| *side != 1).map_or(1, |last| last + 1);
    block[..sides].iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

/// Other blocks for one with these threads. A row stays a row, and the third direction stays as it is.
fn blocks(now: [u32; 3]) -> Vec<[u32; 3]> {
    let [x, y, z] = now;
    let threads = x.saturating_mul(y).saturating_mul(z);
    let one_row = y == 1 && z == 1;
    let mut all = Vec::new();
    for (times, over) in TIMES {
        let (Some(plane), 0) = ((threads * times / over).checked_div(z), threads * times % over) else { continue };
        let widths = if one_row { vec![plane] } else { WIDTHS.to_vec() };
        all.extend(widths.into_iter().filter(|w| *w > 0 && plane % w == 0).map(|w| [w, plane / w, z]));
    }
    if one_row {
        all.extend([64, 128, 256, 512].map(|threads| [threads, 1, 1]));
    }
    let fits = |[x, y, z]: &[u32; 3]| (WARP..=THREADS_MAX).contains(&(x * y * z)) && (x * y * z) % WARP == 0;
    let mut kept: Vec<[u32; 3]> = Vec::new();
    for block in all.into_iter().filter(fits) {
        if block != now && !kept.contains(&block) {
            kept.push(block);
        }
    }
    kept.truncate(BLOCKS);
    kept
}

/// Moves arrays of the kernel that `facts` names and makes other changes of its text.
///
/// # Errors
///
/// Returns the first reason why an array cannot be in its memory, or why a change is not possible or changes nothing.
///
/// ```
/// use cuda::{rewrite_with, LaunchFacts, TextChange};
///
/// let text = "__global__ void scale(const float *by, float *x) { x[threadIdx.x] *= by[0]; }";
/// let facts = LaunchFacts {
///     kernel: "scale".into(),
///     grid: [1; 3],
///     block: [32, 1, 1],
///     arrays: vec![("by".into(), 4, 4), ("x".into(), 32, 4)],
///     ..LaunchFacts::default()
/// };
/// let changed = rewrite_with(text, &facts, &[], &[TextChange::Restrict]).unwrap();
/// assert!(changed.text.contains("(const float *__restrict__ by, float *__restrict__ x)"), "{}", changed.text);
/// ```
pub fn rewrite_with(
    text: &str,
    facts: &LaunchFacts,
    moves: &[(&str, Space)],
    changes: &[TextChange],
) -> Result<Rewritten, Refusal> {
    let given = facts;
    let mut facts = facts.clone();
    for change in changes {
        match *change {
            TextChange::Block(block) => {
                for ((blocks, before), after) in facts.grid.iter_mut().zip(facts.block).zip(block) {
                    let threads = u64::from(*blocks) * u64::from(before);
                    *blocks = threads.div_ceil(u64::from(after.max(1))).min(u32::MAX.into()) as u32;
                }
                facts.block = block;
            }
            TextChange::Threads(block) => facts.block = block,
            _ => {}
        }
    }
    let kernel = Kernel::read(text, &facts)?;
    if let Some(taken) = kernel.take_back(moves)? {
        let left: Vec<(&str, Space)> = moves
            .iter()
            .copied()
            .filter(|(array, space)| *space != Space::Global || kernel.is_elsewhere(array))
            .collect();
        if left.is_empty() && changes.is_empty() {
            return Ok(taken);
        }
        let further = rewrite_with(&taken.text, given, &left, changes).map_err(|mut refusal| {
            // Its lines are those of another text.
            if refusal.reason.starts_with("line ") {
                refusal.reason = format!("in the text without the copies, {}", refusal.reason);
            }
            refusal
        })?;
        return Ok(Rewritten { text: further.text, notes: [taken.notes, further.notes].concat() });
    }
    let mut plan = kernel.plan(moves, changes.contains(&TextChange::Unguarded))?;
    for change in changes {
        match change {
            TextChange::Restrict => kernel.restrict(&mut plan)?,
            TextChange::ReadOnly => kernel.read_only(moves, &mut plan)?,
            TextChange::Padding => kernel.pad(&mut plan)?,
            TextChange::Unguarded if plan.guards.iter().next().is_none() => {
                return refuse("", "no read of a tile has a bounds test of its own");
            }
            TextChange::Unguarded => {}
            TextChange::Block(_) | TextChange::Threads(_) => kernel.shape_launch(&mut plan)?,
        }
    }
    kernel.finish(plan)
}

impl Kernel<'_> {
    fn restrict(&self, plan: &mut Plan) -> Result<(), Refusal> {
        let written = |name: &str| self.uses_of(name).any(|u| u.doing == Doing::Writes);
        for (name, target) in &self.known.facts.aliases {
            if written(name) || written(target) {
                return refuse("", format!("`{name}` and `{target}` share one array in this launch"));
            }
        }
        let moved = |number: usize| plan.parameters.iter().any(|(moved, _)| *moved == number);
        let plain: Vec<usize> = (0..self.function.params.len())
            .filter(|&number| match &self.function.params[number].ty.kind {
                TypeKind::Pointer(to, restrict) => {
                    *restrict == Restrict::No && !matches!(to.kind, TypeKind::Pointer(..)) && !moved(number)
                }
                _ => false,
            })
            .collect();
        if plain.is_empty() {
            return refuse("", "no pointer is left that is not `__restrict__`");
        }
        for &(open, close) in &self.heads {
            let parts = self.source.split(open, close);
            for part in plain.iter().filter_map(|number| parts.get(*number)) {
                let star = part.clone().rev().find(|&t| self.source.tokens[t].is("*"));
                let Some(star) = star else { return refuse("", "a macro writes the type of a pointer") };
                let end = self.source.end(star);
                let spaced = self.source.text[end..].starts_with(char::is_whitespace);
                plan.edits.insert(end, if spaced { " __restrict__" } else { "__restrict__ " });
            }
        }
        plan.notes.push("`__restrict__` promises that no two of these pointers reach the same element".into());
        Ok(())
    }

    fn read_only(&self, moves: &[(&str, Space)], plan: &mut Plan) -> Result<(), Refusal> {
        let names = self.function.params.iter().filter_map(|p| p.name.as_deref());
        let stays = |name: &&str| !moves.iter().any(|(moved, _)| moved == name);
        let before = plan.edits.len();
        for name in names.filter(stays) {
            if self.check(name, Space::ReadOnly).is_ok() {
                let mut own = Plan::default();
                if self.to_readonly(name, &mut own).is_ok() {
                    plan.edits.extend(own.edits);
                }
            }
        }
        match plan.edits.len() == before {
            true => refuse("", "no array is left that the kernel only reads, by plain indices"),
            false => Ok(()),
        }
    }

    fn pad(&self, plan: &mut Plan) -> Result<(), Refusal> {
        let mut padded = false;
        for range in self.last_dimensions() {
            let (first, close) = (range.start, range.end);
            match range.len() {
                1 => {}
                _ => {
                    plan.edits.insert(self.source.start(first), "(");
                    plan.edits.insert(self.source.start(close), ")");
                }
            }
            plan.edits.insert(self.source.start(close), " + 1");
            padded = true;
        }
        if padded {
            Ok(())
        } else {
            refuse("", "the kernel declares no shared array with several dimensions")
        }
    }

    /// The tokens of the last dimension of each shared array with several of them.
    fn last_dimensions(&self) -> Vec<Range<usize>> {
        let tokens = &self.source.tokens;
        let mut found = Vec::new();
        let declarations = (self.body.0..self.body.1).filter(|&t| tokens[t].is_ident("__shared__"));
        for word in declarations {
            let Some(end) = (word..self.body.1).find(|&t| tokens[t].is(";")) else { continue };
            let mut at = word;
            while at < end {
                let is_array = tokens[at].ident().is_some() && tokens[at + 1].is("[");
                let Some(mut close) = self.source.close(at + 1).filter(|_| is_array) else {
                    at += 1;
                    continue;
                };
                let mut open = at + 1;
                while tokens[close + 1].is("[") {
                    open = close + 1;
                    let Some(next) = self.source.close(open) else { return found };
                    close = next;
                }
                if open > at + 1 && close > open + 1 {
                    found.push(open + 1..close);
                }
                at = close + 1;
            }
        }
        found
    }

    /// Writes the grid and the block of the facts into the launch comment.
    fn shape_launch(&self, plan: &mut Plan) -> Result<(), Refusal> {
        let facts = self.known.facts;
        if !self.source.names("blockDim") {
            return refuse("", "the text does not read `blockDim`, so it relies on the block that it has");
        }
        let named = |text: &str| {
            let head = text.split("<<<").next().unwrap_or_default();
            lex(head.split('<').next().unwrap_or_default()).tokens.iter().any(|t| t.is_ident(&facts.kernel))
        };
        let all: Vec<_> = lex(self.source.text).launches;
        let own: Vec<_> = all.iter().filter(|comment| named(&comment.text)).collect();
        let kernel = &facts.kernel;
        let [comment] = own[..] else {
            return refuse(
                "",
                match own.is_empty() {
                    true => {
                        format!("no launch comment launches `{kernel}`, so the text does not show where its block is")
                    }
                    false => {
                        format!("several launch comments launch `{kernel}`, so it is not known which one to change")
                    }
                },
            );
        };
        let from = self.source.byte(comment.pos);
        let shape = launch_shape(&self.source.text[from..]);
        let Some([grid, block]) = shape else {
            return refuse("", "the launch comment has its blocks and threads on several lines");
        };
        let shown = |[x, y, z]: [u32; 3]| match (y, z) {
            (1, 1) => x.to_string(),
            (_, 1) => format!("dim3({x}, {y})"),
            _ => format!("dim3({x}, {y}, {z})"),
        };
        plan.edits.replace(from + grid.start..from + grid.end, shown(facts.grid));
        plan.edits.replace(from + block.start..from + block.end, shown(facts.block));
        plan.notes.push("the grid is that of this launch; a launch with other sizes needs its own".into());
        Ok(())
    }
}

/// The bytes of the blocks and of the threads between `<<<` and `>>>`, without white space around them. `None` if they are
/// not on one line.
fn launch_shape(text: &str) -> Option<[Range<usize>; 2]> {
    let open = text.find("<<<")? + 3;
    let close = open + text[open..].find(">>>")?;
    let inner = &text[open..close];
    let mut depth = 0;
    let mut commas = inner.char_indices().filter(|(_, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        *c == ',' && depth == 0
    });
    let first = commas.next()?.0;
    let second = commas.next().map_or(inner.len(), |(at, _)| at);
    let trimmed = |range: Range<usize>| {
        let part = &inner[range.clone()];
        let start = range.start + part.len() - part.trim_start().len();
        open + start..open + start + part.trim().len()
    };
    (!inner.contains('\n')).then(|| [trimmed(0..first), trimmed(first + 1..second)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let all = [
            TextChange::Restrict,
            TextChange::ReadOnly,
            TextChange::Padding,
            TextChange::Unguarded,
            TextChange::Block([128, 1, 1]),
            TextChange::Block([32, 8, 1]),
            TextChange::Block([8, 4, 2]),
            TextChange::Threads([1, 64, 1]),
            TextChange::Threads([1, 1, 1]),
        ];
        for change in all {
            assert_eq!(TextChange::named(&change.to_string()), Some(change));
        }
        for wrong in ["", "block", "block=", "block=x8", "block=8x8x8x8", "block=-1", "block=0", "pad", "grid=8"] {
            assert_eq!(TextChange::named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn blocks_to_try_are_whole_warps_within_the_limit_and_not_the_present_one() {
        assert_eq!(blocks([256, 1, 1]), [128, 512, 64].map(|x| [x, 1, 1]));
        assert_eq!(blocks([16, 16, 1]), [[32, 8, 1], [64, 4, 1], [128, 2, 1], [8, 32, 1], [32, 4, 1], [64, 2, 1]]);
        for now in [[1, 1, 1], [1024, 1, 1], [32, 32, 1], [8, 8, 8], [3, 5, 7], [1023, 1, 1]] {
            for [x, y, z] in blocks(now) {
                assert!([x, y, z] != now && x * y * z <= 1024 && (x * y * z) % 32 == 0, "{now:?}: {x} {y} {z}");
                assert_eq!(z, now[2]);
            }
        }
    }

    #[test]
    fn the_shape_of_a_launch_is_found_between_its_signs() {
        let parts = |text: &str| launch_shape(text).map(|all| all.map(|range| text[range].to_string()));
        assert_eq!(
            parts("// launch: k<<< dim3(2, f(3, 4)) , 64 , 8>>>(n = 1)"),
            Some(["dim3(2, f(3, 4))".into(), "64".into()])
        );
        assert_eq!(parts("k<<<2,64>>>()"), Some(["2".into(), "64".into()]));
        assert_eq!(parts("k<<<2,\n// 64>>>()"), None);
        assert_eq!(parts("k<<<2>>>()"), None);
    }
}
