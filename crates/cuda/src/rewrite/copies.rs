//! The loops that copy a tile to shared memory and back.

use crate::rewrite::kernel::Kernel;
use crate::rewrite::polynomial::Polynomial;
use crate::rewrite::shared::Tile;

/// A thread's copies of a tile are unrolled up to this number.
const COPIES_MAX: u64 = 64;

/// A copy by rows and columns makes at most a quarter more rounds than one of all elements in their order. Columns at the edge of a tile
/// keep few threads busy, which costs more on the model of the whole GPU than the divisions of the other form.
const ROUNDS_RATIO: [u64; 2] = [5, 4];

/// What a thread does for an element of a tile.
pub(super) struct Copied<'c> {
    /// Where it goes.
    pub into: &'c str,
    /// Where it comes from.
    pub out: &'c str,
    /// What goes there instead if the array has no such element. Without it, nothing does.
    pub or: Option<&'c str>,
}

impl Copied<'_> {
    /// The statement, with `inside` for what tests that the array has the element. `tests` gets it if nothing else goes there.
    fn statement(&self, inside: Option<String>, tests: &mut Vec<String>) -> String {
        match (inside, self.or) {
            (Some(inside), Some(or)) => format!("{} = {inside} ? {} : {or};", self.into, self.out),
            (inside, _) => {
                tests.extend(inside);
                format!("{} = {};", self.into, self.out)
            }
        }
    }
}

/// How the threads of a block go over a tile.
pub(super) enum Order {
    /// All elements in their order.
    Elements,
    /// Threads along x take columns and threads along y take rows, so many rounds of rows and of columns.
    Rows([u64; 2]),
}

impl Kernel<'_> {
    /// How a person would write the copy of a tile: by rows and columns, unless that leaves too many threads idle.
    pub fn order(&self, tile: &Tile) -> Order {
        let [x, y, z] = self.known.facts.block.map(|side| u64::from(side).max(1));
        let [rows, columns] = &tile.sides[..] else { return Order::Elements };
        let rounds = [rows.size.div_ceil(y), columns.size.div_ceil(x)];
        let flat = tile.elements().div_ceil(x * y * z);
        match z == 1 && rounds[0] * rounds[1] <= (flat * ROUNDS_RATIO[0] / ROUNDS_RATIO[1]).min(COPIES_MAX) {
            true => Order::Rows(rounds),
            false => Order::Elements,
        }
    }

    /// Loops over a tile by rows and columns; see [`Self::copy_text`].
    fn copy_rows(
        &self,
        (tile, elements): (&Tile, u64),
        rounds: [u64; 2],
        [row, column, from]: [&str; 3],
        index: &str,
        copied: &Copied<'_>,
    ) -> String {
        let [x, y, _] = self.known.facts.block;
        let (mut heads, mut declared, mut tests) = (Vec::new(), Vec::new(), Vec::new());
        let sides = tile.sides.iter().zip(rounds);
        for ((side, rounds), (name, thread, threads)) in sides.zip([(row, "y", y), (column, "x", x)]) {
            let thread = format!("threadIdx.{thread}");
            if rounds > 1 {
                // With a fixed number of rounds the compiler loads several elements before it stores the first.
                let round = self.source.fresh(if name == row { "rows" } else { "columns" });
                heads.push(format!("for (int {round} = 0; {round} < {rounds}; {round}++)"));
                declared.push(format!("int {name} = {thread} + {round} * {threads};"));
            } else {
                declared.push(format!("int {name} = {thread};"));
            }
            if side.size % u64::from(threads) > 0 {
                tests.push(format!("{name} < {}", side.size));
            }
        }
        declared.push(format!("int {from} = {index};"));
        let inside = (!self.stays_inside(tile, elements)).then(|| format!("{from} >= 0 && {from} < {elements}"));
        let statement = copied.statement(inside, &mut tests);
        let mut out = String::new();
        let indent = |depth: usize| "    ".repeat(depth);
        for (depth, head) in heads.iter().enumerate() {
            out += &format!("{0}#pragma unroll\n{0}{head}", indent(depth + 1));
            out += if depth + 1 < heads.len() { "\n" } else { " {\n" };
        }
        let depth = heads.len().max(1);
        if heads.is_empty() {
            out += "    {\n";
        }
        for line in declared {
            out += &format!("{}{line}\n", indent(depth + 1));
        }
        if !tests.is_empty() {
            out += &format!("{}if ({})\n    ", indent(depth + 1), tests.join(" && "));
        }
        out + &format!("{}{statement}\n{}}}\n", indent(depth + 1), indent(depth))
    }

    /// A loop in which the threads of a block do what `copied` says for each element of a tile. `names` are those of the element's place in
    /// the tile (its number, or its row and column) and of its number in the array. `index` says how the last follows from
    /// the others.
    pub fn copy_text(&self, tile: &Tile, elements: u64, names: &[&str], index: &str, copied: &Copied<'_>) -> String {
        let (at, from) = match (self.order(tile), names) {
            (Order::Rows(rounds), &[row, column, from]) => {
                return self.copy_rows((tile, elements), rounds, [row, column, from], index, copied);
            }
            (_, names) => (names.first().copied().unwrap_or_default(), names.last().copied().unwrap_or_default()),
        };
        let (thread, threads) = self.threads();
        let count = tile.elements();
        let block: u64 = self.known.facts.block.iter().map(|side| u64::from(*side)).product();
        let rounds = count.div_ceil(block.max(1));
        let unrolled = (2..=COPIES_MAX).contains(&rounds);
        let mut tests = Vec::new();
        let head = if unrolled {
            if count % block > 0 {
                tests.push(format!("{at} < {count}"));
            }
            // With a fixed number of rounds the compiler loads several elements before it stores the first.
            let round = self.source.fresh("round");
            format!(
                "    #pragma unroll\n    for (int {round} = 0; {round} < {rounds}; {round}++) {{\n        \
                 int {at} = {thread} + {round} * {block};\n"
            )
        } else {
            format!("    for (int {at} = {thread}; {at} < {count}; {at} += {threads}) {{\n")
        };
        let inside = (!self.stays_inside(tile, elements)).then(|| format!("{from} >= 0 && {from} < {elements}"));
        let statement = copied.statement(inside, &mut tests);
        let test = match &tests[..] {
            [] => String::new(),
            tests => format!("if ({})\n            ", tests.join(" && ")),
        };
        format!("{head}        int {from} = {index};\n        {test}{statement}\n    }}\n")
    }

    /// Whether the tile of no block and no part leaves the array.
    fn stays_inside(&self, tile: &Tile, elements: u64) -> bool {
        let range = |p: &Polynomial| self.known.range_in_grid(p, &self.uses.loops);
        let ends = tile.sides.iter().try_fold(range(&tile.corner), |ends, side| {
            let ((low, high), (step, _)) = (ends?, range(&side.step)?);
            Some(Some((low, high.checked_add(step.checked_mul(side.size as i64 - 1)?)?))).filter(|_| step >= 0)
        });
        ends.flatten().is_some_and(|(low, high)| low >= 0 && (high as u64) < elements)
    }
}
