//! Placements of a matrix product, predicted from one text, against measured times on an RTX 2080 Ti, or on the GPU whose table is
//! there and whose preset the variable `GPU` names.
//!
//! The table holds groups of four measured programs of CLBlast's family, with A and B each in global or in shared memory.
//! A text of this project with both in global memory is rewritten for the other three, and each text runs in the
//! emulator and on the machine. A run of 128 rounds less one of 64 is the time of 64 rounds inside the sum of 4096. A full
//! wave of blocks runs, at the places of the grid that the cores would get ([`crate::resident_wave`]). Nothing is fitted to
//! these times.
//!
//! The measured programs are OpenCL, whose numbers of threads are unsigned. NVRTC 12.9 leaves most neighbouring loads of tiles apart where
//! a text has unsigned positions. So loads are as wide here as the text has them. With `LOADS=joined` they are joined, as NVRTC joins them
//! in the rewritten texts, whose positions are signed. No hardware ran those.
//!
//! `GEMM=text cargo test --release -p lab --test suite gemm_from_one_text -- --nocapture` scores one group in 60, from the
//! thirty-first on. These groups were looked at while the rules were chosen. `GEMM=unseen` scores one in 60 from the first
//! on, and `GEMM=more` one in six from the fourth on. `GEMM=fresh` scores one in 30 from the eighth on, of which none was looked at by itself. Without the variable one group is scored.
//!
//! Neighbouring threads of a rewritten text copy neighbouring elements into a tile. Most of the measured programs give a
//! thread several neighbouring elements in place of that, if they use CLBlast's form without strides (assumed). Their shape
//! is a parameter of the table and in no text without copies. `GEMM=copies` scores the groups whose programs copy as the rewritten texts do.
//!
//! A second text stages both operands, and copies as the measured programs do under this assumption. Its staging is taken back for the
//! other three choices. `FROM=staged` scores it alone, and `FROM=global` the text with both operands in global memory.

use crate::resident_wave::time_of_wave;
use base::Job;
use cuda_vm::{rewrite, ArrayData, CudaOptions, Emulation, LaunchFacts, LaunchResult, Space, TraceForm};
use gpu::preset;
use placement::MachineTime;
use testkit::{gpu_asked, sample_data};
use trace::Dim3;

/// The text with both operands in global memory, and the one that stages both.
const TEXTS: [&str; 2] = [include_str!("gemm_parts.cu"), include_str!("gemm_staged.cu")];
const SIDE: u64 = 4096;
/// Rounds of the two runs.
const ROUNDS: [u64; 2] = [64, 128];
/// Blocks that run.
const GRID: [u64; 2] = [8, 4];
/// What moves for each choice of the table: none in shared memory, `b`, `a`, both. One row for each text.
const CHOICES: [[&[(&str, Space)]; 4]; 2] = [
    [&[], &[("b", Space::Shared)], &[("a", Space::Shared)], &[("a", Space::Shared), ("b", Space::Shared)]],
    [&[("a", Space::Global), ("b", Space::Global)], &[("a", Space::Global)], &[("b", Space::Global)], &[]],
];

/// The preset of the GPU that was measured.
fn gpu() -> String {
    gpu_asked().unwrap_or_else(|| "rtx2080ti".into())
}

/// A group of four measured programs with the same parameters.
struct Group {
    sizes: Vec<(&'static str, u64)>,
    /// Neighbouring vectors that a thread of the measured program copies of a row of A's tile and of B's.
    neighbours: [u64; 2],
    milliseconds: [f64; 4],
}

fn groups(table: &str) -> Vec<Group> {
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let group = |four: &[Vec<&str>]| {
        let number = |column: usize| four[0][column].parse::<u64>().expect("a number");
        // MWG, NWG, KWG, MDIMC, NDIMC, MDIMA, NDIMB, KWI, VWM, VWN, SA, SB, time. Loads of eight floats are two of four.
        let sizes = vec![
            ("MWG", number(0)),
            ("NWG", number(1)),
            ("MDIMC", number(3)),
            ("NDIMC", number(4)),
            ("KWI", number(7)),
            ("VWM", number(8).min(4)),
            ("VWN", number(9).min(4)),
            ("MDIMA", number(5)),
            ("NDIMB", number(6)),
            ("BX", GRID[0]),
            ("BY", GRID[1]),
        ];
        let neighbours =
            [(0, 5, 8), (1, 6, 9)].map(|(tile, threads, width)| number(tile) / number(threads) / number(width));
        let milliseconds = [0, 1, 2, 3].map(|choice| {
            let shared = [(choice / 2).to_string(), (choice % 2).to_string()];
            let row =
                four.iter().find(|row| row[..10] == four[0][..10] && row[10..12] == shared).expect("a group of four");
            row[12].parse().expect("a time")
        });
        Group { sizes, neighbours, milliseconds }
    };
    rows.chunks(4).map(group).collect()
}

/// A group and its predicted times.
type Scored<'a> = (&'a Group, [Option<f64>; 4]);

/// The facts of the whole product, so that the text is rewritten for it and not for the rounds that run.
fn whole(mut facts: LaunchFacts) -> LaunchFacts {
    let rounds = facts.numbers.iter_mut().find(|(name, _)| name == "ks");
    rounds.expect("the rounds are a parameter").1 = SIDE as i64;
    for (_, elements, bytes) in facts.arrays.iter_mut().filter(|(name, ..)| name != "c") {
        *elements = SIDE * SIDE * 4 / *bytes;
    }
    facts
}

/// A text that ran.
type Ran = (LaunchResult, Vec<ArrayData>);

fn run(group: &Group, rounds: u64, text: &str) -> Result<Ran, String> {
    // The text without copies has no sizes for them.
    let length = ("K", rounds);
    let known = group.sizes.iter().chain([&length]).filter(|(name, _)| text.contains(name));
    let sizes = known.map(|(n, v)| ((*n).into(), v.to_string())).collect();
    let joins = std::env::var("LOADS").as_deref() == Ok("joined");
    let options = CudaOptions { form: TraceForm::Compiled, sizes, joins, ..CudaOptions::default() };
    let mut run = Emulation::new("gemm_parts.cu", text, &options).finish();
    let problem = format!("{:?}", run.diagnostics);
    run.launches.pop().map(|launch| (launch, run.arrays)).ok_or(problem)
}

/// The time of a choice on the machine, or why its text does not run. `own` is the run of the text that is rewritten.
fn time_of(group: &Group, rounds: u64, (text, choice): (usize, usize), own: &Ran) -> Result<MachineTime, String> {
    let moved = rewrite(TEXTS[text], &whole(own.0.facts.clone()), CHOICES[text][choice])
        .map_err(|refusal| refusal.to_string())?;
    let (mut launch, arrays) = run(group, rounds, &moved.text)?;
    let expected = &own.1;
    assert_eq!(arrays.len(), expected.len());
    assert!(arrays.iter().zip(expected).all(|(a, b)| a.after == b.after), "other results: {:?}", group.sizes);
    let size = |name: &str| group.sizes.iter().find(|(known, _)| *known == name).expect("a size").1;
    launch.trace.launch.grid = Dim3::new((SIDE / size("MWG")) as u32, (SIDE / size("NWG")) as u32, 1);
    let (right, down) = (4 * size("MWG") as i64, 4 * size("NWG") as i64);
    let steps = [("a", [right, 0]), ("b", [0, down]), ("c", [right, down * SIDE as i64])];
    Ok(time_of_wave(&preset(&gpu()).expect("a preset"), &launch.trace, &steps))
}

/// Milliseconds of each choice. `None`, with the reason printed, if its text does not run.
fn predicted(group: &Group, text: usize) -> [Option<f64>; 4] {
    let own = ROUNDS.map(|rounds| run(group, rounds, TEXTS[text]));
    let times = [0, 1, 2, 3].map(|choice| {
        let of = |i: usize| {
            own[i].as_ref().map_err(Clone::clone).and_then(|own| time_of(group, ROUNDS[i], (text, choice), own))
        };
        let times = [of(0), of(1)];
        let [Ok(short), Ok(long)] = times else {
            let why = times.into_iter().find_map(Result::err).unwrap_or_default();
            println!("  choice {choice} of {:?}: {why}", group.sizes);
            return None;
        };
        let topology = preset(&gpu()).expect("a preset");
        let clock = placement::Machine::from_topology(&topology).clock_ghz * 1e9;
        let more = (SIDE - ROUNDS[0]) as f64 / (ROUNDS[1] - ROUNDS[0]) as f64;
        Some((short.cycles() + (long.work - short.work) * more) / clock * 1e3)
    });
    let shown = times.map(|time| time.unwrap_or(f64::NAN));
    println!("  {:?}: measured {:.1?}, predicted {shown:.1?} ms", group.sizes, group.milliseconds);
    times
}

/// Prints and checks how well the choices for some groups are predicted from one text.
fn score<'a>(groups: impl Iterator<Item = &'a Group>, text: usize) {
    let scored: Vec<Scored> = groups.map(|group| (group, predicted(group, text))).collect();
    let regret = |group: &Group, choice: usize| {
        100.0 * (group.milliseconds[choice] / group.milliseconds.iter().copied().fold(f64::INFINITY, f64::min) - 1.0)
    };
    let least = |times: &[Option<f64>; 4]| {
        let ran = (0..4).filter_map(|choice| Some((choice, times[choice]?)));
        ran.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(choice, _)| choice)
    };
    let mean = |sum: f64| sum / scored.len() as f64;
    let fixed = [0, 1, 2, 3].map(|choice| mean(scored.iter().map(|(group, _)| regret(group, choice)).sum()));
    let chosen = mean(scored.iter().map(|(group, times)| regret(group, least(times))).sum());
    let (mut right, mut pairs, mut errors) = (0, 0, Vec::new());
    for (group, times) in &scored {
        for (a, time) in (0..4).filter_map(|a| Some((a, times[a]?))) {
            errors.push(100.0 * (time / group.milliseconds[a] - 1.0).abs());
            for slower in
                (0..4).filter_map(|b| times[b].filter(|_| group.milliseconds[b] > 1.1 * group.milliseconds[a]))
            {
                (pairs, right) = (pairs + 1, right + u32::from(slower > time));
            }
        }
    }
    errors.sort_by(f64::total_cmp);
    println!(
        "{} groups, {} of {} texts ran: regret {chosen:.1} %, fixed choices (none, b, a, both) {fixed:.1?}, pairs {right} of {pairs}, \
         median time error {:.0} %",
        scored.len(),
        errors.len(),
        4 * scored.len(),
        errors[errors.len() / 2]
    );
    assert_eq!(errors.len(), 4 * scored.len(), "texts that do not run");
    assert!(scored.len() == 1 || errors[errors.len() / 2] < 20.0, "the median error of a set");
}

#[test]
fn gemm_from_one_text() {
    let Some(table) = sample_data(&format!("placement/gemm_{}.csv", gpu())) else { return };
    let all = groups(&std::fs::read_to_string(table).expect("a table"));
    let asked = std::env::var("GEMM");
    let (first, step) = match asked.as_deref() {
        Ok("text") => (30, 60),
        Ok("unseen") => (0, 60),
        Ok("some") => (30, 180),
        Ok("more") => (3, 6),
        Ok("fresh") => (7, 30),
        Ok("copies") => (0, 1),
        _ => (30, all.len()),
    };
    let copies = asked.as_deref() == Ok("copies");
    let texts = match std::env::var("FROM").as_deref() {
        Ok("global") => 0..1,
        Ok("staged") => 1..2,
        _ => 0..2,
    };
    for text in texts {
        let chosen = all.iter().skip(first).step_by(step).filter(|group| !copies || group.neighbours == [1, 1]);
        score(chosen, text);
    }
}
