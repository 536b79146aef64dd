//! The facts of a GPU that the model `gpu` uses, for people to read, and the check of its scenarios.
//!
//! Besides the facts that `gpu_what_if` lists, two parameters can be set: `sms`, the cores that are simulated, and
//! `stores`, what stores do at the L1. `machine::MachineSpec` derives its numbers from these facts.

use crate::cache_tab::gpu_what_if::{settable, settable_keys, what_if, BY_HAND};
use crate::cache_tab::settings::{Parameter, STORES};
use crate::scenario::Scenario;
use base::Diagnostic;
use gpu::{Board, Fact, Status, Stores, Topology};
use std::fmt::Display;

/// One row of the list: key, label, unit and help.
type Row = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
static ROWS: [Row; 33] = [
    ("cores", "Cores", "", "Cores (SMs) that the blocks are dealt to."),
    ("core_parts", "Parts of a core", "", "Parts with an L1, a load-store pipe and schedulers of their own. A block runs on one."),
    ("schedulers", "Schedulers of a core", "", "Each issues one warp instruction per cycle."),
    ("clock", "Core clock", "kHz", "Turns cycles into seconds."),
    ("max_threads", "Threads per core", "threads", "Threads resident on a core at a time: the most that occupancy counts."),
    ("max_blocks", "Blocks per core", "blocks", "Blocks resident on a core at a time."),
    ("registers", "Registers per core", "", "Limits the resident blocks where the trace says how many registers a thread has."),
    ("shared_bytes", "Shared memory per core", "bytes", "Limits the resident blocks."),
    ("instruction_cycles", "Dependent instruction", "cycles", "Cycles until an instruction can use the result of an arithmetic one."),
    ("l1_bytes", "L1 size", "bytes", "Capacity of a core's L1 cache, beside the smallest shared memory."),
    ("carve_out_bytes", "L1 and shared memory", "bytes", "Memory that the L1 shares with shared memory: blocks that use shared memory leave the L1 less."),
    ("l1_line_bytes", "L1 line", "bytes", "Bytes of a line. Data moves in sectors of 32 bytes."),
    ("l1_ways", "L1 ways", "", "Associativity: lines of a set of the L1. More ways give fewer sets."),
    ("l1_hit_cycles", "L1 hit", "cycles", "Latency: from the issue of a load to the use of its value."),
    ("l1_mshrs", "MSHRs", "per core", "Line requests of a core that can be on their way at once."),
    ("l1_global", "Global loads use the L1", "", "If not, they go to the L2."),
    ("l1_pipe", "Load-store pipe takes", "", "All lines of a warp instruction in one piece, or a line of the oldest warp at a time."),
    ("l1_allocate", "A miss takes its place", "", "At once or when its data arrive, where the pipe goes line by line."),
    ("loads_per_warp", "Outstanding loads", "per warp", "Global loads of a warp that can wait for data at once, where the pipe goes line by line."),
    ("l1_line_cycles", "Load-store pipe per line", "cycles", "Cycles of the pipe for a whole line of a warp instruction. Above 1, a part of a line takes less, and 1 at least."),
    ("access_cycles", "Load-store pipe per instruction, at least", "cycles", "The least cycles of the pipe for a warp instruction."),
    ("shared_cycles", "Shared load", "cycles", "Latency: from the issue of a load from shared memory to the use of its value."),
    ("shared_wavefront_cycles", "Wavefront", "cycles", "Cycles per pass over the banks of shared memory."),
    ("barrier_cycles", "Barrier", "cycles", "From the last arrival to the release."),
    ("block_launch_cycles", "Block launch", "cycles", "From the end of a block to the start of the block that takes its place."),
    ("l2_bytes", "L2 size", "bytes", "Capacity of one L2 cache."),
    ("l2_ways", "L2 ways", "", "Associativity: lines of a set of the L2. More ways give fewer sets."),
    ("l2_slices", "L2 slices", "", "Each serves one sector per cycle."),
    ("l2_hit_cycles", "L2 hit", "cycles", "Latency: from the issue of a load to the use of its value."),
    ("l2_bytes_per_cycle", "Link from the L2", "bytes per cycle", "What a core gets from the L2, and sends to it, per cycle."),
    ("channels", "DRAM channels", "", "They share the bandwidth of DRAM."),
    ("peak_gbs", "DRAM bandwidth", "GB/s", "Peak of all channels."),
    ("memory_cycles", "DRAM load", "cycles", "Latency: from the issue of a load to the use of its value, where both caches miss."),
];

/// The parameter that says what stores do at the L1.
const STORES_KEY: &str = "stores";

const POLICIES: [Stores; 4] = [Stores::None, Stores::WriteEvict, Stores::WriteThroughNoAllocate, Stores::WriteAllocate];

/// Returns the name that people read of a fact.
pub(crate) fn gpu_label(key: &str) -> Option<&'static str> {
    ROWS.iter().find(|row| row.0 == key).map(|row| row.1)
}

/// Lists the facts of a topology that the model uses. `gpu_what_if` says which of them can be set.
pub(crate) fn gpu_parameters(topology: &Topology) -> Vec<Parameter> {
    let board = topology.full_board();
    let row = |&(key, label, unit, help): &Row| {
        let (value, status, source) = fact(key, topology, &board)?;
        let kind = settable(key).map_or("fact", |range| range.kind());
        let range = settable(key).map_or_else(String::new, |range| range.words());
        Some(Parameter { key, label, unit, value, kind, choices: Vec::new(), range, help, status, source })
    };
    ROWS.iter().filter_map(row).chain([stores_parameter(topology)]).collect()
}

fn stores_parameter(topology: &Topology) -> Parameter {
    let unknown = || ("none".into(), "assumed".into(), "the topology does not say".into());
    let stated = |fact: &Fact<Stores>| {
        let (status, source) = status_and_source(fact);
        (STORES[fact.value as usize].into(), status, source)
    };
    let (value, status, source) = topology.l1.stores.as_ref().map_or_else(unknown, stated);
    Parameter {
        key: STORES_KEY,
        label: "Stores",
        unit: "",
        value,
        kind: "choice",
        choices: STORES.to_vec(),
        range: String::new(),
        help: "What stores do at the L1: pass by, drop the line, go through and update it, or stay there until it is replaced.",
        status,
        source,
    }
}

/// The topology with what a scenario sets.
///
/// # Errors
///
/// Returns diagnostics if a value is none of the parameter's choices, is out of its range, or contradicts another fact.
pub(crate) fn with_set_facts(scenario: &Scenario, topology: Topology) -> Result<Topology, Vec<Diagnostic>> {
    let mut topology = what_if(scenario, topology)?;
    let Some(text) = scenario.set.get(STORES_KEY) else { return Ok(topology) };
    let policy = STORES.iter().position(|name| *name == text.trim()).and_then(|at| POLICIES.get(at));
    let Some(&value) = policy else {
        let expected = format!("{STORES_KEY}: one of {}", STORES.join(", "));
        return Err(vec![Diagnostic::error("parameters", expected, format!("`{text}`"), "change the value")]);
    };
    topology.l1.stores = Some(Fact { value, status: Status::Assumed, source: BY_HAND.into() });
    Ok(topology)
}

type Told = (String, String, String);

/// The value, status and source of a fact. It is `None` where neither the topology nor its generation states it.
fn fact(key: &str, t: &Topology, board: &Board) -> Option<Told> {
    let l2 = t.l2.as_ref();
    match key {
        "cores" => Some(told(&t.cores)),
        "core_parts" => board.core_parts.as_ref().map(told),
        "schedulers" => board.schedulers.as_ref().map(told),
        "clock" => t.core_clock_khz(board).map(told),
        "max_threads" => Some(told(&t.max_threads_per_core)),
        "max_blocks" => Some(told(&t.max_blocks_per_core)),
        "registers" => t.registers_per_core.as_ref().map(told),
        "shared_bytes" => t.shared_bytes_per_core.as_ref().map(told),
        "instruction_cycles" => board.instruction_cycles.as_ref().map(told),
        "l1_bytes" => t.l1.bytes.as_ref().map(told),
        "carve_out_bytes" => board.carve_out_bytes.as_ref().map(told),
        "l1_line_bytes" => t.l1.line_bytes.as_ref().map(told),
        "l1_ways" => t.l1.ways.as_ref().map(told),
        "l1_hit_cycles" => t.l1.hit_cycles.as_ref().map(told),
        "l1_mshrs" => t.l1.mshrs.as_ref().map(told),
        "l1_global" => board.global_loads_in_l1.as_ref().map(told),
        "l1_pipe" => board.l1_pipe.as_ref().map(told),
        "l1_allocate" => board.l1_allocate.as_ref().map(told),
        "loads_per_warp" => board.loads_per_warp.as_ref().map(told),
        "l1_line_cycles" => board.l1_line_cycles.as_ref().map(told),
        "access_cycles" => board.access_cycles.as_ref().map(told),
        "shared_cycles" => t.shared_cycles.as_ref().map(told),
        "shared_wavefront_cycles" => board.shared_wavefront_cycles.as_ref().map(told),
        "barrier_cycles" => board.barrier_cycles.as_ref().map(told),
        "block_launch_cycles" => board.block_launch_cycles.as_ref().map(told),
        "l2_bytes" => l2.and_then(|l2| l2.bytes.as_ref()).map(told),
        "l2_ways" => l2.and_then(|l2| l2.ways.as_ref()).map(told),
        "l2_slices" => board.l2_slices.as_ref().map(told),
        "l2_hit_cycles" => l2.and_then(|l2| l2.hit_cycles.as_ref()).map(told),
        "l2_bytes_per_cycle" => board.l2_bytes_per_cycle.as_ref().map(told),
        "channels" => board.channels.as_ref().map(told),
        "peak_gbs" => board.peak_gbs.as_ref().map(told),
        _ => t.memory_cycles.as_ref().map(told),
    }
}

fn told<T: Display>(fact: &Fact<T>) -> Told {
    let (status, source) = status_and_source(fact);
    (fact.value.to_string(), status, source)
}

fn status_and_source<T>(fact: &Fact<T>) -> (String, String) {
    let status = match fact.status {
        Status::Official => "official",
        Status::Measured => "measured",
        Status::Assumed => "assumed",
    };
    (status.into(), fact.source.clone())
}

/// The parameter that samples the GPU: the number of cores that are simulated.
pub(crate) const SMS: &str = "sms";

/// The number of cores that a scenario samples, if not all are simulated.
///
/// # Errors
///
/// Returns a diagnostic if it is not a number of cores that the GPU has.
pub(crate) fn sampled_cores(scenario: &Scenario, topology: &Topology) -> Result<Option<u32>, Vec<Diagnostic>> {
    let Some(text) = scenario.set.get(SMS) else { return Ok(None) };
    let cores = topology.cores.value;
    match text.trim().parse::<u64>() {
        Ok(sms) if sms == cores => Ok(None),
        Ok(sms) if (1..cores).contains(&sms) => Ok(Some(sms as u32)),
        _ => {
            let expected = format!("{SMS}: a whole number from 1 to {cores}, the cores of this GPU");
            let help = "leave it out to simulate all cores";
            Err(vec![Diagnostic::error("parameters", expected, format!("`{text}`"), help)])
        }
    }
}

/// Refuses what a scenario sets and the model does not have.
///
/// # Errors
///
/// Returns a diagnostic for each parameter, and for warm L1s.
pub(crate) fn check_gpu_scenario(scenario: &Scenario) -> Result<(), Vec<Diagnostic>> {
    let known = |key: &str| [SMS, STORES_KEY].contains(&key) || settable(key).is_some();
    let others = scenario.set.keys().filter(|key| !known(key));
    let mut errors: Vec<Diagnostic> = others.map(|key| not_settable(key)).collect();
    if scenario.warm {
        let help = "use the state `warm`, in which the L2 keeps what the kernel before left";
        errors.push(Diagnostic::error("settings", "caches that the model gpu can keep warm", "warm L1s", help));
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

fn not_settable(key: &str) -> Diagnostic {
    let known = settable_keys().collect::<Vec<_>>().join(", ");
    let help = format!("use one of {SMS}, {STORES_KEY}, {known}, or a topology file with another value");
    Diagnostic::error("parameters", "a parameter of the model gpu", format!("`{key}`"), help)
}

/// Refuses what only the model `gpu` has: a state of the caches, and the switch for classes of misses.
///
/// # Errors
///
/// Returns a diagnostic if the scenario has a state other than the default, or the switch.
pub(crate) fn check_l1_scenario(scenario: &Scenario) -> Result<(), Vec<Diagnostic>> {
    if scenario.classes {
        let expected = format!("no switch: the model {} always gives each miss a class", scenario.model);
        let help = "leave the classes out, or choose the model gpu";
        return Err(vec![Diagnostic::error("classes", expected, "classes", help)]);
    }
    if scenario.state == Default::default() {
        return Ok(());
    }
    let expected = format!("the state cold: the model {} begins each kernel with empty caches", scenario.model);
    let help = "leave the state out, or choose the model gpu";
    Err(vec![Diagnostic::error("state", expected, format!("`{}`", scenario.state), help)])
}
