//! The names that profilers give to the counters of the model, and their units.

use crate::check::counter::Counter;

/// Names of Nsight Compute's metrics and of the rows of its details page, and of nvprof's metrics, with what they
/// count. Where a profile has several names of a counter, the first one here counts.
const NAMES: [(&str, Counter); 39] = [
    ("sm__cycles_elapsed.max", Counter::Cycles),
    ("gpc__cycles_elapsed.max", Counter::Cycles),
    ("Elapsed Cycles", Counter::Cycles),
    ("gpu__time_duration.sum", Counter::Microseconds),
    ("Duration", Counter::Microseconds),
    ("smsp__inst_executed.sum", Counter::WarpInstructions),
    ("sm__inst_executed.sum", Counter::WarpInstructions),
    ("Executed Instructions", Counter::WarpInstructions),
    ("inst_executed", Counter::WarpInstructions),
    ("smsp__thread_inst_executed.sum", Counter::ThreadInstructions),
    ("thread_inst_executed", Counter::ThreadInstructions),
    ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Counter::LoadRequests),
    ("gld_transactions", Counter::L1Accesses),
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", Counter::L1Sectors),
    ("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", Counter::L1HitRate),
    ("global_hit_rate", Counter::L1HitRate),
    ("lts__t_sectors_srcunit_tex_op_read.sum", Counter::L2Reads),
    ("lts__t_sectors_op_read.sum", Counter::L2Reads),
    ("l2_tex_read_transactions", Counter::L2Reads),
    ("l2_read_transactions", Counter::L2Reads),
    ("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", Counter::L2ReadHits),
    ("lts__t_sectors_op_read_lookup_hit.sum", Counter::L2ReadHits),
    ("lts__t_sector_op_read_hit_rate.pct", Counter::L2ReadHitRate),
    ("l2_tex_read_hit_rate", Counter::L2ReadHitRate),
    ("lts__t_sectors_srcunit_tex_op_write.sum", Counter::L2Writes),
    ("lts__t_sectors_op_write.sum", Counter::L2Writes),
    ("l2_tex_write_transactions", Counter::L2Writes),
    ("l2_write_transactions", Counter::L2Writes),
    ("lts__t_sectors_op_write_lookup_hit.sum", Counter::L2WriteHits),
    ("dram__sectors_read.sum", Counter::DramReads),
    ("dram__bytes_read.sum", Counter::DramReads),
    ("dram_read_transactions", Counter::DramReads),
    ("dram__sectors_write.sum", Counter::DramWrites),
    ("dram__bytes_write.sum", Counter::DramWrites),
    ("dram_write_transactions", Counter::DramWrites),
    ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", Counter::SharedLoadWavefronts),
    ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", Counter::SharedStoreWavefronts),
    ("shared_load_transactions", Counter::SharedLoadWavefronts),
    ("shared_store_transactions", Counter::SharedStoreWavefronts),
];

/// The counter of a metric, with its rank among the names of the counter. A lower rank is the better name.
pub(crate) fn counter_of_metric(name: &str) -> Option<(usize, Counter)> {
    let rank = NAMES.iter().position(|(known, _)| *known == name)?;
    Some((rank, NAMES[rank].1))
}

/// A value in the unit of its counter: microseconds, sectors, percent or a count. Profilers write `1,024`, `95.00%`,
/// `2.5us`.
pub(crate) fn value_in_unit(text: &str, unit: &str, counter: Counter) -> Option<f64> {
    let text = text.trim().replace(',', "");
    let end = text.find(|c: char| !(c.is_ascii_digit() || ".+-eE".contains(c))).unwrap_or(text.len());
    let value: f64 = text[..end].parse().ok()?;
    let unit = if end < text.len() { text[end..].trim() } else { unit.trim() };
    let value = value * factor(unit, counter)?;
    is_plausible(value).then_some(value)
}

/// Whether a counter can have a value. Others are damage, and would make errors that no table can show.
pub(crate) fn is_plausible(value: f64) -> bool {
    value == 0.0 || (1e-9..=1e18).contains(&value)
}

/// What a value is multiplied by. `None` for a unit that is not that of the counter.
fn factor(unit: &str, counter: Counter) -> Option<f64> {
    if counter == Counter::Microseconds {
        return Some(match unit {
            "ns" | "nsecond" => 1e-3,
            "us" | "µs" | "usecond" => 1.0,
            "ms" | "msecond" => 1e3,
            "s" | "second" => 1e6,
            _ => return None,
        });
    }
    let sector = 32.0;
    Some(match unit.to_ascii_lowercase().as_str() {
        "byte" | "b" => 1.0 / sector,
        "kbyte" | "kb" => 1e3 / sector,
        "mbyte" | "mb" => 1e6 / sector,
        "gbyte" | "gb" => 1e9 / sector,
        "tbyte" | "tb" => 1e12 / sector,
        _ => 1.0,
    })
}
