//! Lists the launches of a text for a form. Nothing runs, and faults of the text are not reported here.
//!
//! In: the text of a `.cu` file. Out: a [`LaunchOutline`] per launch comment. If there is none, one per kernel with a
//! guessed launch.

use crate::host::run_host;
use crate::launch::{outline_comment, GuessSizes, LaunchGuess};
use crate::lower::Module;
use crate::syntax::ast::FunctionKind;
use crate::syntax::files::FileParts;
use crate::syntax::headers::builtin_macros;
use crate::syntax::lex;
use crate::syntax::parse::parse;
use crate::syntax::preprocess::preprocess;
use crate::syntax::token::LaunchComment;

/// A launch comment in parts, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchOutline {
    /// First line of the comment, from 1. For a guess, the line of the kernel.
    pub line: u32,
    /// Last line of the comment. For a guess, one less than `line`.
    pub last_line: u32,
    /// The kernel with its template arguments.
    pub kernel: String,
    /// The grid: a number or `dim3(…)`.
    pub blocks: String,
    /// The block: a number or `dim3(…)`.
    pub threads: String,
    /// Bytes of dynamic shared memory, if given.
    pub shared: Option<String>,
    /// Arguments, arrays and sizes.
    pub items: Vec<OutlineItem>,
    /// Where the blocks of a guess come from, such as `host line 12`. Empty if the text gives them.
    pub blocks_origin: String,
    /// The same of the threads.
    pub threads_origin: String,
}

/// An argument, array or size of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    /// The name of a parameter, a variable of the file or a size.
    pub name: String,
    /// Type, dimensions and words. Empty for a plain value, which the `sizes` of the emulator's options can replace.
    pub declaration: String,
    /// Value or initialiser. Empty if there is none.
    pub value: String,
    /// Where a guess has it from, such as `host line 12` or `default`. Empty if the text gives it.
    pub origin: String,
}

/// The launches of a text, without those that cannot be parsed.
///
/// ```
/// use cuda::outline;
///
/// let launch = &outline("// launch: fill<<<n / 32, 32>>>(x: float[n] = zero, n = 64)\n__global__ void fill(float *x) {}")[0];
/// assert_eq!((launch.line, launch.last_line, &*launch.blocks, &*launch.threads), (1, 1, "n / 32", "32"));
/// assert_eq!((&*launch.items[0].declaration, &*launch.items[0].value, &*launch.items[1].value), ("float[n]", "zero", "64"));
/// ```
pub fn outline(text: &str) -> Vec<LaunchOutline> {
    let lexed = lex(text);
    if !lexed.launches.is_empty() {
        let read =
            |comment: &LaunchComment| outline_comment(comment, (comment.pos.line, last_line(text, comment.pos.line)));
        return lexed.launches.iter().filter_map(read).collect();
    }
    let tokens = preprocess(&lexed, builtin_macros()).tokens;
    let (mut unit, _) = parse(tokens.clone());
    let mut module = Module::new(&unit);
    let sizes = GuessSizes { files: FileParts::of(text), ..GuessSizes::default() };
    let run = run_host(&tokens, &unit, &module, &sizes.given);
    if run.add_closures(&mut unit) {
        module = Module::new(&unit);
    }
    let kernels = unit.functions.iter().filter(|f| f.kind == FunctionKind::Kernel && f.body.is_some());
    let guessed = kernels.filter_map(|kernel| {
        let guess = LaunchGuess::new(kernel, &unit, &tokens, (&module, &run), &sizes);
        outline_guess(&guess)
    });
    guessed.collect()
}

/// A guess in parts, each with its origin.
pub fn outline_guess(guess: &LaunchGuess) -> Option<LaunchOutline> {
    let pos = guess.kernel().pos;
    let comment = LaunchComment { pos, text: guess.text()? };
    let mut out = outline_comment(&comment, (pos.line, pos.line.saturating_sub(1)))?;
    (out.blocks_origin, out.threads_origin) = guess.shape_origins();
    for item in &mut out.items {
        item.origin = guess.origin(&item.name);
    }
    Some(out)
}

/// Last line of the launch comment that begins in `first`. The comment ends where its brackets close.
fn last_line(text: &str, first: u32) -> u32 {
    let mut depth = 0i32;
    let mut last = first;
    for (number, line) in (1u32..).zip(text.lines()).skip(first.saturating_sub(1) as usize) {
        let shown = if number == first { line.find("launch:").map_or("", |at| &line[at..]) } else { line };
        let comment = number == first || line.trim_start().starts_with("//") || line.contains("*/") || depth > 0;
        if !comment {
            break;
        }
        last = number;
        depth += shown.matches(['(', '[', '{']).count() as i32 - shown.matches([')', ']', '}']).count() as i32;
        let opened = shown.contains(">>>") || number > first;
        if depth <= 0 && opened {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn every_launch_of_the_library_is_taken_apart_and_can_be_put_together_again() {
        for kernel in library() {
            let all = outline(kernel.text);
            assert!(!all.is_empty(), "{}", kernel.id);
            for launch in &all {
                let lines: Vec<&str> = kernel.text.lines().collect();
                let comment = lines[launch.line as usize - 1..launch.last_line as usize].join(" ").replace("//", " ");
                let squeezed = |text: &str| text.split_whitespace().collect::<String>();
                let items = launch.items.iter().map(|item| {
                    let declaration =
                        if item.declaration.is_empty() { String::new() } else { format!(": {}", item.declaration) };
                    let value = if item.value.is_empty() { String::new() } else { format!(" = {}", item.value) };
                    format!("{}{declaration}{value}", item.name)
                });
                let shared = launch.shared.as_ref().map_or(String::new(), |bytes| format!(", {bytes}"));
                let (kernel_name, blocks, threads) = (&launch.kernel, &launch.blocks, &launch.threads);
                let items = items.collect::<Vec<_>>().join(", ");
                let again = format!("launch: {kernel_name}<<<{blocks}, {threads}{shared}>>>({items})");
                assert_eq!(squeezed(&again), squeezed(&comment), "{}", kernel.id);
            }
        }
    }

    #[test]
    fn without_a_comment_the_guess_is_shown() {
        let guessed = outline("\n__global__ void twice(float *x, int n) { x[threadIdx.x] *= n; }");
        assert_eq!(guessed.len(), 1);
        assert_eq!((guessed[0].line, guessed[0].last_line, &*guessed[0].kernel), (2, 1, "twice"));
        assert_eq!(guessed[0].items.len(), 2);
        assert!(outline("int main() { return 0; }").is_empty());
        assert!(outline("// launch: k<<<1").is_empty());
    }
}
