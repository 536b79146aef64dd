//! Agreement of the placement model with our simulator (tests/oracle_sim): never with hardware.
//!
//! Trained on eight kernel families, reported on nine others and on a GPU that was not trained on.

mod oracle_sim;

use oracle_sim::families;
use oracle_sim::memory::MemoryConfig;
use oracle_sim::program::{Program, Put};
use oracle_sim::sim::{cycles, Gpu};
use std::sync::Arc;
use warpscope::dram::Mapping;
use warpscope::job::Random;
use warpscope::placement::*;
use warpscope::topology::preset;

/// SMs of the slices that are compared: enough to share an L2, few enough to simulate.
const SMS: u64 = 4;

/// A slice of a GPU, for the model and for the simulator, with its share of L2 and bandwidth.
fn slice(id: &str) -> (Machine, Gpu, bool) {
    let mut machine = Machine::of(&preset(id).expect("a preset"));
    let share = SMS as f64 / machine.sms as f64;
    machine.l2_bytes = (machine.l2_bytes as f64 * share) as u64;
    machine.peak_gbs *= share;
    let kepler = id == "k20c";
    let channels = if kepler { 2 } else { 4 };
    machine.mapping = if kepler { Mapping::gpgpusim_kepler(2) } else { Mapping::generic(channels, 16, 2048) };
    machine.sms = SMS;
    let ns = |ns: f64| (ns * machine.clock_ghz) as u64;
    let sector = 32.0 * machine.clock_ghz / (machine.peak_gbs / f64::from(channels));
    let beyond = (machine.memory_latency - machine.l2_latency) as u64;
    let (rcd, cl) = (ns(12.0), ns(12.0));
    let memory = MemoryConfig {
        slices: 4,
        l2_lines_per_slice: (machine.l2_bytes / 128 / 4) as usize,
        l2_cycles: machine.l2_latency as u64,
        channels: channels as usize,
        banks: 16,
        row_lines: 16,
        rcd,
        rp: ns(12.0),
        cl,
        rc: ns(40.0),
        sector_16ths: (sector * 16.0) as u64,
        refresh_every: ns(3900.0),
        refresh: ns(260.0),
        pipeline: beyond.saturating_sub(rcd + cl),
    };
    let gpu = Gpu {
        sms: SMS as usize,
        schedulers: 4,
        issue_16ths: (16.0 * 128.0 / machine.simd_width) as u64,
        alu_cycles: machine.instruction_latency as u64,
        max_threads: machine.limits.threads,
        max_blocks: machine.limits.blocks,
        shared_bytes: machine.limits.shared_bytes,
        registers: 65_536,
        l1_lines: (machine.l1_bytes / 128) as usize,
        texture_lines: (machine.texture_bytes / 128) as usize,
        unified: machine.unified,
        carve: machine.carve_out,
        l1_cycles: machine.l1_latency as u64,
        texture_cycles: machine.texture_latency as u64,
        constant_cycles: machine.constant_latency as u64,
        constant_fill_cycles: machine.constant_l15_latency as u64,
        shared_cycles: machine.shared_latency as u64,
        mshrs: 128,
        port_sectors: if kepler { 1 } else { 2 },
        memory,
    };
    let wide = machine.wide_multiply;
    (machine, gpu, wide)
}

fn put(memory: Memory) -> Put {
    match memory {
        Memory::Global => Put::Global,
        Memory::Texture1d => Put::Tex1,
        Memory::Texture2d => Put::Tex2,
        Memory::Constant => Put::Const,
        Memory::Shared => Put::Shared,
    }
}

/// A placement with its simulated time.
struct Case {
    placement: Placement,
    truth: f64,
}

/// A kernel on a GPU with its cases; the first is the sample, all in global memory.
struct Study {
    name: String,
    kernel: Arc<Kernel>,
    machine: Arc<Machine>,
    cases: Vec<Case>,
}

fn study(program: &Program, id: &str, most: usize) -> Study {
    let (machine, gpu, wide) = slice(id);
    let limit = machine.shared_per_block;
    let compile = |placement: &[Memory], marks: bool| {
        let puts: Vec<Put> = placement.iter().map(|memory| put(*memory)).collect();
        program.compile(&puts, wide, limit, marks)
    };
    let sample = vec![Memory::Global; program.data.len()];
    let trace = compile(&sample, false).expect("no tile");
    let kernel = Kernel::new(&trace, &machine).expect("a kernel");
    let options = options(&kernel, &machine);
    let all = nominal(&options);
    let mut random = Random::new(17);
    let mut list: Vec<Placement> = vec![sample];
    // Everything of one kind first, so that fixed choices can be compared, then a draw.
    for memory in Memory::ALL {
        list.push(options.iter().map(|may| if may.contains(&memory) { memory } else { Memory::Global }).collect());
    }
    if all <= most as u128 {
        list.extend((0..all).map(|index| placement_at(&options, index)));
    } else {
        list.extend((0..most).map(|_| placement_at(&options, u128::from(random.below(all as u64)))));
    }
    let mut seen = std::collections::BTreeSet::new();
    list.retain(|placement| seen.insert(placement.clone()) && too_much(&kernel, placement, &machine).is_none());
    let widths: Vec<u64> = program.data.iter().map(|data| data.width).collect();
    let elements: Vec<u64> = program.data.iter().map(|data| data.element).collect();
    let cases = list.into_iter().filter_map(|placement| {
        let puts: Vec<Put> = placement.iter().map(|memory| put(*memory)).collect();
        let truth = cycles(&gpu, &compile(&placement, true)?, &puts, &widths, &elements) as f64;
        Some(Case { placement, truth })
    });
    Study { name: program.name.clone(), cases: cases.collect(), kernel: Arc::new(kernel), machine: Arc::new(machine) }
}

impl Study {
    fn evaluator(&self, settings: &Settings) -> Evaluator {
        let sample = vec![Memory::Global; self.kernel.arrays.len()];
        Evaluator::new(self.kernel.clone(), self.machine.clone(), settings.clone(), sample)
    }
}

/// Time of a prediction under one way of looking at it.
type Judge = fn(&mut Evaluator, &Study, &[Memory]) -> f64;

fn our_model(evaluator: &mut Evaluator, _: &Study, placement: &[Memory]) -> f64 {
    evaluator.predict(placement).cycles
}

/// As PORPLE: the latency of every load by the level that answers it, nothing overlaps.
fn porple(evaluator: &mut Evaluator, study: &Study, placement: &[Memory]) -> f64 {
    let traffic = evaluator.predict(placement).traffic;
    let m = &study.machine;
    let level = [
        m.shared_latency,
        m.constant_latency,
        m.constant_l15_latency,
        m.l1_latency,
        m.texture_latency,
        m.l2_latency,
        m.memory_latency,
    ];
    traffic.loads.iter().zip(level).map(|(count, cycles)| *count as f64 * cycles).sum()
}

/// Figures of one study under one model.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    error: f64,
    spearman: f64,
    kendall: f64,
    regret: f64,
    hit3: f64,
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |x: f64| values.iter().filter(|y| **y < x).count() as f64;
    let equal = |x: f64| values.iter().filter(|y| **y == x).count() as f64;
    values.iter().map(|&x| below(x) + (equal(x) - 1.0) / 2.0).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let dot = |x: &[f64], mx: f64, y: &[f64], my: f64| x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>();
    let spread = (dot(a, ma, a, ma) * dot(b, mb, b, mb)).sqrt();
    if spread == 0.0 {
        0.0
    } else {
        dot(a, ma, b, mb) / spread
    }
}

fn kendall(a: &[f64], b: &[f64]) -> f64 {
    let (mut sum, mut na, mut nb) = (0.0, 0.0f64, 0.0f64);
    for i in 0..a.len() {
        for j in 0..i {
            let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
            let (x, y) = (sign(a[i] - a[j]), sign(b[i] - b[j]));
            sum += x * y;
            na += x * x;
            nb += y * y;
        }
    }
    sum / (na * nb).sqrt().max(1.0)
}

fn figures(truth: &[f64], predicted: &[f64], times: bool) -> Figures {
    let best = truth.iter().copied().fold(f64::INFINITY, f64::min);
    let mut order: Vec<usize> = (0..truth.len()).collect();
    order.sort_by(|a, b| predicted[*a].total_cmp(&predicted[*b]).then(a.cmp(b)));
    let error = truth.iter().zip(predicted).map(|(t, p)| (p / t - 1.0).abs()).sum::<f64>() / truth.len() as f64;
    let three = order.iter().take(3).any(|i| truth[*i] <= best * 1.0001);
    Figures {
        error: if times { error } else { f64::NAN },
        spearman: correlation(&ranks(truth), &ranks(predicted)),
        kendall: kendall(truth, predicted),
        regret: truth[order[0]] / best - 1.0,
        hit3: f64::from(u8::from(three)),
    }
}

fn judged(studies: &[Study], settings: &Settings, judge: Judge, times: bool) -> Vec<Figures> {
    let of = |study: &Study| {
        let mut evaluator = study.evaluator(settings);
        let truth: Vec<f64> = study.cases.iter().map(|case| case.truth).collect();
        let predicted: Vec<f64> =
            study.cases.iter().map(|case| judge(&mut evaluator, study, &case.placement)).collect();
        figures(&truth, &predicted, times)
    };
    studies.iter().map(of).collect()
}

fn mean(list: &[Figures], get: fn(&Figures) -> f64) -> f64 {
    list.iter().map(get).sum::<f64>() / list.len() as f64
}

fn show(label: &str, list: &[Figures]) {
    println!(
        "{label:<34} error {:5.1} %  Spearman {:+.2}  tau {:+.2}  regret {:5.1} %  hit@3 {:.2}",
        100.0 * mean(list, |f| f.error),
        mean(list, |f| f.spearman),
        mean(list, |f| f.kendall),
        100.0 * mean(list, |f| f.regret),
        mean(list, |f| f.hit3)
    );
}

fn trained(studies: &[Study], settings: &Settings) -> Fit {
    let mut samples = Vec::new();
    for study in studies {
        let mut evaluator = study.evaluator(settings);
        for case in &study.cases {
            samples.push(Sample::new(&study.name, &evaluator.predict(&case.placement), case.truth));
        }
    }
    fit(&samples).expect("eight kernels")
}

/// Placements that are drawn per kernel beside those of one kind.
const DRAWN: usize = 24;

fn studies(programs: &[Program], id: &str) -> Vec<Study> {
    programs.iter().map(|program| study(program, id, DRAWN)).collect()
}

/// The regrets of leaving everything where it was, and of the one memory that is best over all studies.
fn fixed_choices(studies: &[Study]) -> (f64, f64) {
    let best = |study: &Study| study.cases.iter().map(|case| case.truth).fold(f64::INFINITY, f64::min);
    let sample = studies.iter().map(|s| s.cases[0].truth / best(s) - 1.0).sum::<f64>() / studies.len() as f64;
    let of = |memory: Memory| {
        let regret = |study: &Study| {
            let may = options(&study.kernel, &study.machine);
            let wanted: Placement =
                may.iter().map(|may| if may.contains(&memory) { memory } else { Memory::Global }).collect();
            // Where it does not fit, the sample stays.
            let found = study.cases.iter().find(|case| case.placement == wanted).unwrap_or(&study.cases[0]);
            found.truth / best(study) - 1.0
        };
        studies.iter().map(regret).sum::<f64>() / studies.len() as f64
    };
    (sample, Memory::ALL.into_iter().map(of).fold(f64::INFINITY, f64::min))
}

/// 90 % interval of a mean over kernels, by bootstrap.
fn interval(list: &[Figures], get: fn(&Figures) -> f64) -> (f64, f64) {
    let mut random = Random::new(5);
    let one = |random: &mut Random| {
        (0..list.len()).map(|_| get(&list[random.below(list.len() as u64) as usize])).sum::<f64>() / list.len() as f64
    };
    let mut means: Vec<f64> = (0..999).map(|_| one(&mut random)).collect();
    means.sort_by(f64::total_cmp);
    (means[50], means[949])
}

/// The ablations of Huang & Li's Figures 7 to 9, from the base to everything.
fn ablations(settings: &Settings) -> [(&'static str, Settings); 5] {
    let with = |counting, queueing, mapping| Settings { counting, queueing, mapping, ..settings.clone() };
    [
        ("base: none of the three", with(false, false, false)),
        ("instruction counting", with(true, false, false)),
        ("queue, requests dealt evenly", with(false, true, false)),
        ("counting and queue", with(true, true, false)),
        ("counting, queue and mapping", with(true, true, true)),
    ]
}

/// `cargo test --test placement_agreement -- --nocapture` shows all figures. They are agreement with our simulator.
#[test]
fn evaluation_kernels_and_another_gpu() {
    let shipped = warpscope::lab::OverlapFile::shipped().expect("the shipped file").fit();
    let plain = Settings::default();
    let ours = Settings { overlap: shipped.overlap(), ..plain.clone() };
    let sim = Settings { counting: false, queueing: false, merging: false, overlap: Overlap::Sim, ..plain.clone() };
    for id in ["k20c", "a100"] {
        println!("{id}: nine kernels that were not trained on; placements drawn per kernel: {DRAWN}");
        let studies = studies(&families::evaluation(), id);
        let figures = judged(&studies, &ours, our_model, true);
        show("  the model", &figures);
        let (regret, spearman) = (interval(&figures, |f| f.regret), interval(&figures, |f| f.spearman));
        println!("  90 %: regret {:.3} to {:.3}, Spearman {:.2} to {:.2}", regret.0, regret.1, spearman.0, spearman.1);
        let mut errors: Vec<f64> = figures.iter().map(|f| f.error).collect();
        errors.sort_by(f64::total_cmp);
        println!("  median over kernels of the mean error {:.1} %", 100.0 * errors[errors.len() / 2]);
        show("  overlap by chains, untrained", &judged(&studies, &plain, our_model, true));
        let seed = judged(&studies, &Settings::seed(), our_model, true);
        show("  the seed as printed", &seed);
        let like_sim = judged(&studies, &sim, our_model, true);
        show("  as Sim et al.", &like_sim);
        let like_porple = judged(&studies, &sim, porple, false);
        show("  as PORPLE", &like_porple);
        let (sample, fixed) = fixed_choices(&studies);
        println!("  left as it is: regret {:.1} %; best fixed memory: {:.1} %", 100.0 * sample, 100.0 * fixed);
        for (label, settings) in ablations(&ours) {
            show(&format!("  {label}"), &judged(&studies, &settings, our_model, true));
        }
        for (study, f) in studies.iter().zip(&figures) {
            println!(
                "    {:<12} error {:4.1} %, Spearman {:+.2}, regret {:.1} %",
                study.name,
                100.0 * f.error,
                f.spearman,
                100.0 * f.regret
            );
        }
        let regret = mean(&figures, |f| f.regret);
        for (label, other) in [
            ("seed", mean(&seed, |f| f.regret)),
            ("Sim", mean(&like_sim, |f| f.regret)),
            ("PORPLE", mean(&like_porple, |f| f.regret)),
            ("sample", sample),
            ("fixed", fixed),
        ] {
            assert!(regret < other, "{id}: {regret} is not below {label}'s {other}");
        }
    }
}

#[test]
fn the_shipped_coefficients_are_what_training_gives() {
    let fitted = trained(&studies(&families::training(), "k20c"), &Settings::default());
    let provenance = format!(
        "our own simulator (tests/oracle_sim), {} placements of {} kernels on a slice of {SMS} SMs of the k20c; no hardware",
        fitted.rows, fitted.kernels
    );
    let made = warpscope::lab::OverlapFile::of(&fitted, "k20c", provenance);
    let shipped = warpscope::lab::OverlapFile::shipped();
    if shipped.as_ref() != Some(&made) {
        println!("{}", serde_json::to_string_pretty(&made).expect("plain data"));
    }
    let shipped = shipped.expect("a file that can be read");
    assert_eq!((shipped.rows, shipped.lambda, &shipped.provenance), (made.rows, made.lambda, &made.provenance));
    for (a, b) in shipped.coefficients.iter().zip(&made.coefficients) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}
