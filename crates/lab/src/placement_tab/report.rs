//! The report of a ranking, as plain data.

use crate::placement_tab::changes::ChangeRow;
use crate::placement_tab::paper::SampleTime;
use placement::{forbidden, ArrayUse, Machine, Memory, PlacementKernel, Prediction};
use serde::Serialize;
use std::collections::BTreeMap;

/// An array and the memories that it may go to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceArray"))]
pub struct PlacementArray {
    /// The name of the array.
    pub name: String,
    /// True if the range was guessed from gaps between addresses.
    pub guessed: bool,
    /// The first byte as hexadecimal text.
    pub base: String,
    /// The length in bytes.
    pub bytes: u64,
    /// The bytes of an element.
    pub element: u64,
    /// The number of elements in a row if the array is a 2D texture.
    pub width: u64,
    /// The numbers of warp loads, stores and atomics.
    pub accesses: [u64; 3],
    /// The bytes of the array that a block keeps in shared memory, and how often it fills them. It is null if the
    /// tiles were not analysed.
    pub tile: Option<(u64, u32)>,
    /// By memory, the reason why the array may not go there. It is null if it may.
    pub legality: BTreeMap<String, Option<String>>,
}

/// A placement and its predicted time, as a row of the report.
#[derive(Clone, Debug, Serialize)]
pub struct PlacementRow {
    /// The memory of each array, by its name.
    pub placement: BTreeMap<String, String>,
    /// T of the equations in SM cycles.
    pub cycles: f64,
    /// T of the equations in microseconds at the GPU's clock.
    pub microseconds: f64,
    /// The time of the moved kernel on the whole GPU in microseconds. It is null if this placement did not run there.
    pub machine_microseconds: Option<f64>,
    /// Tcomp in cycles.
    pub t_comp: f64,
    /// Tmem in cycles. In the model `paper`, the copy of tiles is part of it.
    pub t_mem: f64,
    /// Toverlap in cycles. In the model `paper` it is equation 12. In the model `default`, T follows from chains and
    /// resources, and this is what Tcomp and Tmem have more.
    pub t_overlap: f64,
    /// True if the time is so close to the best that the model cannot distinguish the two. The placement is then no
    /// slower in at least a quarter of the draws.
    pub tie: bool,
    /// The chance to be the fastest of those that ran on the machine. It is null for others.
    pub chance: Option<f64>,
    /// Why the time is another than in the trace: a sentence for all moves if several ran on the machine together, then one
    /// for each array that has another memory than in the trace.
    pub reasons: Vec<String>,
}

/// The predicted load of one bank of main memory.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "BankRow"))]
pub struct BankLoad {
    /// The number of the bank.
    pub bank: usize,
    /// The number of requests.
    pub requests: u64,
    /// The numbers of row hits, row misses and row conflicts.
    pub rows: [u64; 3],
    /// The share of the time that the bank is busy.
    pub utilisation: f64,
    /// The mean wait in ns.
    pub wait_ns: f64,
    /// True if the requests exceed what the bank can serve.
    pub saturated: bool,
    /// The coefficients of variation of the times between arrivals and of the service times (equation 10).
    pub variation: [f64; 2],
}

/// The result of a search.
#[derive(Clone, Debug, Serialize)]
pub struct PlacementReport {
    /// The name of the kernel.
    pub kernel: String,
    /// The name of the GPU.
    pub gpu: String,
    /// The model, `default` or `paper`.
    pub model: String,
    /// The time of the sample from which the model `paper` predicts. It is null for the other model.
    pub sample_time: Option<SampleTime>,
    /// The placement in the trace.
    pub sample: PlacementRow,
    /// The arrays in order of address.
    pub arrays: Vec<PlacementArray>,
    /// The product of the numbers of memories that each array may go to.
    pub nominal: u64,
    /// The number of legal placements among them. It is null if there are too many to enumerate.
    pub legal: Option<u64>,
    /// The number of placements that the equations evaluated.
    pub evaluated: u64,
    /// The number of placements that ran on the machine.
    pub ran: u64,
    /// The greatest possible excess of the best time found over the best time that exists, as a share, both by the
    /// equations. It is 0 if the placement found is the best, and null as long as there is no bound.
    pub gap: Option<f64>,
    /// The placements, best first.
    pub ranking: Vec<PlacementRow>,
    /// The placements that tie with the best one, and itself, however many the ranking shows.
    pub ties: usize,
    /// The memory of each array in the placement to choose, by its name: of those that tie with the best one, the first
    /// that moves the fewest arrays.
    pub recommended: Option<BTreeMap<String, String>>,
    /// Other changes of the text in the present and in the recommended placement, the fastest first. It is absent if they were
    /// not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<ChangeRow>>,
    /// The banks under the best placement.
    pub banks: Vec<BankLoad>,
    /// Everything that the model leaves out or assumes, in sentences.
    pub notes: Vec<String>,
}

/// Lists the banks of a prediction.
pub(crate) fn bank_loads(prediction: &Prediction) -> Vec<BankLoad> {
    let row = |(bank, found): (usize, &dram::Bank)| BankLoad {
        bank,
        requests: found.requests,
        rows: [found.rows.hits, found.rows.misses, found.rows.conflicts],
        utilisation: found.moments.utilisation(),
        wait_ns: found.wait_ns,
        saturated: found.saturated,
        variation: [found.moments.ca(), found.moments.cs()],
    };
    prediction.banks.banks.iter().enumerate().map(row).collect()
}

/// Lists the arrays of a kernel with the memories that each may go to.
pub(crate) fn arrays(kernel: &PlacementKernel, machine: &Machine) -> Vec<PlacementArray> {
    let of = |array: &ArrayUse| PlacementArray {
        name: array.name.clone(),
        guessed: array.guessed,
        base: format!("{:#x}", array.base),
        bytes: array.bytes,
        element: array.element,
        width: array.width,
        accesses: [array.loads, array.stores, array.atomics],
        tile: array.tile.as_ref().map(|tile| (tile.bytes, tile.phases)),
        legality: base::map_of(Memory::ALL.map(|memory| (memory.to_string(), forbidden(array, memory, machine)))),
    };
    kernel.arrays.iter().map(of).collect()
}
