//! Profiles of Nsight Compute and nvprof, in the layouts that the tools write, beside the model `gpu`.

use base::{Job, Severity};
use lab::{
    compare_profile, comparison_text, read_profile, Counter, GpuReport, Intake, LaunchState, Profile, Report, Scenario,
    ScenarioRun,
};

/// A copy of 1,024 floats: 128 sectors are read and 128 written.
const COPY: &str = "// launch: copy<<<1, 1024>>>(a: float[1024] = random(1), b: float[1024])
// launch: copy<<<1, 1024>>>()
__global__ void copy(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }
";

fn report(state: LaunchState) -> GpuReport {
    let mut intake = Intake::default();
    intake.begin("copy.cu");
    intake.push(COPY.as_bytes());
    let model = lab::CacheModel::Gpu;
    let scenario = Scenario { gpu: "rtx2080ti".into(), model, state, ..Scenario::default() };
    match ScenarioRun::new(&scenario, &intake.finish()).expect("a scenario").finish().expect("a report") {
        Report::Gpu(report) => report,
        Report::Cache(_) => panic!("another model"),
    }
}

fn good(text: &str) -> Profile {
    let (profile, said) = read_profile("p.csv", text.as_bytes());
    assert!(said.is_empty(), "{said:?}");
    profile
}

fn counters(profile: &Profile, launch: usize) -> Vec<(Counter, f64)> {
    profile.launches[launch].counters.iter().map(|(counter, value)| (*counter, *value)).collect()
}

const NSIGHT_LONG: &str = r#"==PROF== Connected to process 7 ("a quote
"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"
"0","7","copy(const float *, float *)","GPU Speed Of Light","Duration","nsecond","2,500"
"0","7","copy(const float *, float *)","Command line profiler metrics","dram__bytes_read.sum","Kbyte","4.096"
"0","7","copy(const float *, float *)","Command line profiler metrics","smsp__pcsamp_sample_buffer_full","","0"
"1","7","copy(const float *, float *)","GPU Speed Of Light","Duration","usecond","3"
"#;

#[test]
fn nsight_compute_with_a_row_per_metric() {
    let profile = good(NSIGHT_LONG);
    assert_eq!((profile.tool, profile.state, profile.unknown_metrics), ("Nsight Compute", LaunchState::Cold, 1));
    assert_eq!(counters(&profile, 0), [(Counter::Microseconds, 2.5), (Counter::DramReads, 128.0)]);
    assert_eq!(counters(&profile, 1), [(Counter::Microseconds, 3.0)]);
}

#[test]
fn nsight_compute_with_a_column_per_metric() {
    let profile = good(
        r#""ID","Kernel Name","dram__sectors_read.sum","gpu__time_duration.sum","lts__t_sectors_op_read.sum","lts__t_sectors_srcunit_tex_op_read.sum"
"","","sector","ms","sector","sector"
"0","void copy<float>(T1 *)","128","0.0025","1,300","128"
"#,
    );
    let found = [(Counter::Microseconds, 2.5), (Counter::L2Reads, 128.0), (Counter::DramReads, 128.0)];
    assert_eq!(counters(&profile, 0), found, "what the SMs read counts, and not what all read");
}

const NVPROF_METRICS: &str = r#"==7== Metric result:
"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"
"TITAN X (Pascal) (0)","copy(float const *, float*)",2,"gld_transactions","Global Load Transactions",128,128,128
"TITAN X (Pascal) (0)","copy(float const *, float*)",2,"global_hit_rate","Global Hit Rate",0.00%,50.00%,25.00%
"#;

#[test]
fn nvprof_metrics_are_averages_over_launches() {
    let profile = good(NVPROF_METRICS);
    assert_eq!((profile.tool, profile.state), ("nvprof", LaunchState::Replay));
    assert_eq!(counters(&profile, 0), [(Counter::L1Accesses, 128.0), (Counter::L1HitRate, 25.0)]);
    let comparison = compare_profile(&report(LaunchState::Replay), &profile);
    assert_eq!(comparison.kernels.len(), 2, "both launches have the average");
    assert!(comparison_text(&comparison).contains("averages over all launches"));
}

#[test]
fn nvprof_gpu_trace_gives_durations_of_kernels_only() {
    let profile = good(
        r#"==7== Profiling result:
"Start","Duration","Grid X","Grid Y","Grid Z","Size","Device","Context","Stream","Name"
"ms","us",,,,"MB",,,,
203.1,1.5,,,,4.0,"TITAN X (Pascal) (0)","1","7","[CUDA memcpy HtoD]"
204.2,2.25,1,1,1,,"TITAN X (Pascal) (0)","1","7","copy(float const *, float*) [119]"
"#,
    );
    assert_eq!((profile.launches.len(), profile.state), (1, LaunchState::Copies));
    assert_eq!(counters(&profile, 0), [(Counter::Microseconds, 2.25)]);
}

#[test]
fn launches_are_compared_in_order_and_the_rest_is_told() {
    let more = "\"2\",\"7\",\"other()\",\"x\",\"Duration\",\"us\",\"1\"\n";
    let profile = good(&format!("{NSIGHT_LONG}{more}"));
    let comparison = compare_profile(&report(LaunchState::Replay), &profile);
    let times: Vec<f64> = comparison.kernels.iter().map(|kernel| kernel.counters[0].measured).collect();
    assert_eq!(times, [2.5, 3.0]);
    // After the replay everything is in the L2: 0 of the 128 sectors that Nsight Compute saw coming from DRAM.
    let reads = &comparison.kernels[0].counters[1];
    assert_eq!((reads.modelled, reads.error), (0.0, Some(-100.0)));
    let text = comparison_text(&comparison);
    for part in ["1 launches of the profile are not in the report", "measures from the state `cold`", "`replay`"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let cold = compare_profile(&report(LaunchState::Cold), &profile);
    assert_eq!(cold.kernels[0].counters[1].error, Some(0.0));
}

#[test]
fn a_linker_name_is_that_of_the_kernel() {
    let mut report = report(LaunchState::Cold);
    report.kernels[0].name = "_Z4copyPKfPf".into();
    report.kernels[1].name = "_Z5copy2PKfPf".into();
    let comparison = compare_profile(&report, &good(NSIGHT_LONG));
    assert_eq!(comparison.kernels.iter().map(|kernel| kernel.number).collect::<Vec<_>>(), [1]);
}

#[test]
fn flaws_are_told_and_the_rest_is_used() {
    let bad = NSIGHT_LONG.replace("\"nsecond\",\"2,500\"", "\"cycle\",\"2,500\"").replace("4.096", "n/a");
    let (profile, said) = read_profile("p.csv", bad.as_bytes());
    assert_eq!(said.iter().map(|d| d.line).collect::<Vec<_>>(), [Some(3), Some(4)], "{said:?}");
    assert!(said.iter().all(|d| d.severity == Severity::Warning));
    assert_eq!(counters(&profile, 1), [(Counter::Microseconds, 3.0)]);
    for nothing in ["", "\"ID\",\"Kernel Name\"\n1,copy\n", "a,b\n1,2\n", "\u{0}\u{fffd}\"\"\",,\"\n"] {
        let (_, said) = read_profile("p.csv", nothing.as_bytes());
        assert!(said.iter().any(|d| d.severity == Severity::Error), "{nothing}: {said:?}");
    }
}
