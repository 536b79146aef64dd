//! The report as CSV, with a row per launch and counter.

use crate::check::report::CheckReport;
use crate::check::row::SIMULATORS;

/// Writes the report as CSV (RFC 4180).
pub fn check_csv(report: &CheckReport) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let fixed =
        ["file", "line", "launch", "gpu", "state", "scaled", "counter", "measured", "modelled", "error", "error_unit"];
    let others = SIMULATORS.iter().flat_map(|(name, _)| [(*name).into(), format!("{name} error")]);
    // Writing to memory cannot fail.
    let _ = out.write_record(fixed.into_iter().map(String::from).chain(others));
    let number = |value: Option<f64>| value.map_or(String::new(), |v| v.to_string());
    for file in &report.files {
        for launch in &file.launches {
            for c in &launch.counters {
                let mut fields = vec![
                    file.name.clone(),
                    launch.line.to_string(),
                    launch.label.clone(),
                    launch.gpu.into(),
                    launch.state.into(),
                    launch.scaled.clone().unwrap_or_default(),
                    c.counter.name().into(),
                    number(Some(c.measured)),
                    number(Some(c.modelled)),
                    number(c.error),
                    c.error_unit.clone(),
                ];
                for (name, _) in SIMULATORS {
                    let other = c.others.iter().find(|other| other.name == name);
                    fields.push(number(other.map(|other| other.value)));
                    fields.push(number(other.and_then(|other| other.error)));
                }
                let _ = out.write_record(fields);
            }
        }
    }
    String::from_utf8(out.into_inner().unwrap_or_default()).unwrap_or_default()
}
