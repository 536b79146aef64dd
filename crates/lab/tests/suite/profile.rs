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
fn terabytes_are_bytes() {
    let profile = good(&NSIGHT_LONG.replace("\"Kbyte\",\"4.096\"", "\"Tbyte\",\"1.6\""));
    assert_eq!(counters(&profile, 0)[1], (Counter::DramReads, 5e10));
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

/// The column has the number of the device, whose name is a metric of its own.
#[test]
fn nsight_compute_names_the_device_in_a_metric_only() {
    let device = |named: &str, name: &str| {
        let head = format!("\"ID\",\"Kernel Name\",\"Device\",\"dram__sectors_read.sum\"{named}\n");
        good(&format!("{head}\"0\",\"copy\",\"0\",\"128\"{name}\n")).device
    };
    assert_eq!(device("", ""), "");
    assert_eq!(device(",\"device__attribute_display_name\"", ",\"NVIDIA A100\""), "NVIDIA A100");
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
    for part in ["Launches of the profile that are not in the report: 1.", "measures from the state `cold`", "`replay`"]
    {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let cold = compare_profile(&report(LaunchState::Cold), &profile);
    assert_eq!(cold.kernels[0].counters[1].error, Some(0.0));
}

#[test]
fn a_launch_that_runs_alone_is_compared_with_its_own() {
    let measured = |profile: &str| {
        let mut intake = Intake::default();
        for (name, text) in [("copy.cu", COPY), ("ncu.csv", profile)] {
            intake.begin(name);
            intake.push(text.as_bytes());
        }
        let model = lab::CacheModel::Gpu;
        let scenario = Scenario { gpu: "rtx2080ti".into(), model, kernels: vec![2], ..Scenario::default() };
        let report = ScenarioRun::new(&scenario, &intake.finish()).expect("a scenario").finish().expect("a report");
        let Report::Gpu(report) = report else { panic!("another model") };
        let kernels = report.measured.expect("a comparison").kernels;
        kernels.iter().map(|kernel| (kernel.number, kernel.counters[0].measured)).collect::<Vec<_>>()
    };
    assert_eq!(measured(NSIGHT_LONG), [(2, 3.0)]);
    let one: String = NSIGHT_LONG.lines().take(3).map(|line| format!("{line}\n")).collect();
    assert_eq!(measured(&one), [(2, 2.5)], "the profiler measured one launch of two");
}

#[test]
fn a_launch_of_the_same_sizes_goes_first_and_others_are_told() {
    let header = "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Metric Name\",\"Metric Value\"\n";
    let launch = |id: u32, grid: u32, reads: u32| {
        format!("\"{id}\",\"copy\",\"(1024, 1, 1)\",\"({grid}, 1, 1)\",\"dram__sectors_read.sum\",\"{reads}\"\n")
    };
    let compared = |launches: &str| {
        let compared = compare_profile(&report(LaunchState::Cold), &good(&format!("{header}{launches}")));
        let reads: Vec<f64> = compared.kernels.iter().map(|kernel| kernel.counters[0].measured).collect();
        (reads, comparison_text(&compared).contains("Launches that were measured with another grid or block: 1."))
    };
    let (small, large) = (launch(0, 1, 128), launch(1, 9, 1152));
    assert_eq!(compared(&format!("{large}{small}{}", launch(2, 1, 129))), (vec![128.0, 129.0], false));
    assert_eq!(compared(&format!("{large}{small}")), (vec![128.0, 1152.0], true));
    let traced = good(
        r#""Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z","Device","Name"
"ms","us",,,,,,,,
204.2,2.25,9,1,1,1024,1,1,"TITAN X (Pascal) (0)","copy(float const *, float*) [119]"
"#,
    );
    assert!(comparison_text(&compare_profile(&report(LaunchState::Copies), &traced)).contains("another grid"));
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
fn a_name_that_begins_with_another_is_of_another_kernel() {
    let mut report = report(LaunchState::Cold);
    // 14 characters that begin with the four of `copy`, behind a length that ends with a 4.
    report.kernels[0].name = "_Z14copyWithStridePKfPf".into();
    report.kernels[1].name = "_ZN3own4copyIfEEvPKT_PS1_".into();
    let comparison = compare_profile(&report, &good(NSIGHT_LONG));
    assert_eq!(comparison.kernels.iter().map(|kernel| kernel.number).collect::<Vec<_>>(), [2]);
}

#[test]
fn the_trace_of_nvprof_numbers_kernels_without_parameters_too() {
    let profile = good(
        r#""Start","Duration","Device","Name"
"ms","us",,
204.2,2.25,"TITAN X (Pascal) (0)","copy [119]"
"#,
    );
    assert_eq!(compare_profile(&report(LaunchState::Copies), &profile).kernels.len(), 1);
}

#[test]
fn files_with_other_metrics_of_the_same_launches_join() {
    let merged = |files: &[&str]| {
        let mut profile = Profile::default();
        files.iter().for_each(|text| profile.merge(good(text)));
        profile
    };
    let launch = |id: u32, metric: &str, value: u32| format!("\"{id}\",\"copy\",\"{metric}\",\"{value}\"\n");
    let header = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n";
    let reads = format!("{header}{}{}", launch(0, "dram__sectors_read.sum", 1), launch(1, "dram__sectors_read.sum", 2));
    let writes =
        format!("{header}{}{}", launch(0, "dram__sectors_write.sum", 3), launch(1, "dram__sectors_write.sum", 4));
    let both = merged(&[&reads, &writes]);
    assert_eq!(both.launches.len(), 2);
    assert_eq!(counters(&both, 1), [(Counter::DramReads, 2.0), (Counter::DramWrites, 4.0)]);
    assert_eq!(merged(&[&reads, &reads]).launches.len(), 4, "the same metric again is of other launches");
    let more = NVPROF_METRICS.replace("global_hit_rate", "inst_executed").replace(".00%", "");
    let averages = merged(&[NVPROF_METRICS, &more]);
    let all = [(Counter::WarpInstructions, 25.0), (Counter::L1Accesses, 128.0), (Counter::L1HitRate, 25.0)];
    assert_eq!((averages.launches.len(), counters(&averages, 0)), (1, all.to_vec()));
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

/// Two configurations of one kernel, as KTT 2.1 writes them, and one that failed.
const KTT: &str = r#"{
  "Metadata": { "ComputeApi": "CUDA", "Device": "GeForce RTX 2080 Ti", "GlobalSizeType": "OpenCL",
    "KttVersion": "2.1", "Platform": "NVIDIA CUDA", "TimeUnit": "Milliseconds", "Timestamp": "" },
  "Results": [
    { "KernelName": "copy", "Status": "Ok", "TotalDuration": 0.003,
      "Configuration": [ { "IsDouble": false, "Name": "BLOCK", "Value": 512 } ],
      "ComputationResults": [ { "KernelFunction": "copy", "Duration": 0.003, "Overhead": 0.1,
        "GlobalSize": { "X": 2, "Y": 1, "Z": 1 }, "LocalSize": { "X": 512, "Y": 1, "Z": 1 } } ] },
    { "KernelName": "copy", "Status": "Ok", "TotalDuration": 0.0025,
      "Configuration": [ { "IsDouble": false, "Name": "BLOCK", "Value": 1024 },
                         { "IsDouble": true, "Name": "SCALE", "Value": 0.5 } ],
      "ComputationResults": [ { "KernelFunction": "copy", "Duration": 0.0025, "Overhead": 0.1,
        "GlobalSize": { "X": 1, "Y": 1, "Z": 1 }, "LocalSize": { "X": 1024, "Y": 1, "Z": 1 },
        "ProfilingData": { "RemainingProfilingRuns": 0, "Counters": [
          { "Name": "dram__bytes_read.sum", "Type": "Double", "Value": 4096.0 },
          { "Name": "lts__t_sectors_op_write.sum", "Type": "Double", "Value": 128.0 },
          { "Name": "sm__warps_active.avg", "Type": "Percent", "Value": 73.3 } ] } } ] },
    { "KernelName": "copy", "Status": "ValidationFailed", "Configuration": [], "ComputationResults": [] } ] }
"#;

#[test]
fn ktt_gives_the_configuration_with_the_sizes_of_the_kernel() {
    let profile = good(KTT);
    assert_eq!(
        (profile.tool, profile.state, profile.device.as_str()),
        ("KTT", LaunchState::Replay, "GeForce RTX 2080 Ti")
    );
    assert_eq!((profile.launches.len(), profile.left_out, profile.unknown_metrics), (2, 1, 1));
    let expected = [(Counter::Microseconds, 2.5), (Counter::L2Writes, 128.0), (Counter::DramReads, 128.0)];
    assert_eq!(counters(&profile, 1), expected, "milliseconds and bytes");
    let comparison = compare_profile(&report(LaunchState::Replay), &profile);
    assert_eq!(comparison.kernels.len(), 1, "the other launch of the report has no measurement of its own");
    assert_eq!(comparison.kernels[0].measured_kernel, "copy with BLOCK=1024, SCALE=0.5");
    let text = comparison_text(&comparison);
    for part in [
        "Launches of the profile that failed or were not measured to the end: 1.",
        "GeForce RTX 2080 Ti",
        "copies written arrays again",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let mut small = report(LaunchState::Replay);
    small.kernels[0].block = [256, 1, 1];
    small.kernels.truncate(1);
    let none = compare_profile(&small, &profile);
    assert!(
        none.kernels.is_empty()
            && comparison_text(&none).contains("kernels that the profile has with another grid or block: 1."),
        "{none:?}"
    );
}

#[test]
fn ktt_of_the_first_versions_has_no_sizes_and_counts_threads() {
    let threads = KTT.replace(r#""GlobalSize": { "X": 1, "#, r#""GlobalSize": { "X": 1024, "#);
    let comparison = compare_profile(&report(LaunchState::Replay), &good(&threads));
    assert_eq!(comparison.kernels.len(), 1, "OpenCL's way of counting");
    let sizes = r#""GlobalSize": { "X": 2, "Y": 1, "Z": 1 }, "LocalSize": { "X": 512, "Y": 1, "Z": 1 }"#;
    let first = KTT.replace(sizes, "\"Extra\": 0");
    let profile = good(&first);
    assert_eq!(profile.launches[0].sizes, None);
    assert_eq!(compare_profile(&report(LaunchState::Replay), &profile).kernels.len(), 2);
}

#[test]
fn a_result_of_ktt_that_is_damaged_leaves_the_others() {
    let (profile, said) = read_profile("r.json", KTT.replace("\"Duration\": 0.003", "\"Duration\": null").as_bytes());
    assert_eq!((profile.launches.len(), profile.left_out), (1, 2));
    assert_eq!(said.iter().map(|d| d.severity).collect::<Vec<_>>(), [Severity::Warning]);
    assert!(said[0].expected.contains("result 1"), "{said:?}");
}

#[test]
fn prof_files_give_the_hit_rate_of_their_launch() {
    let (second, said) = read_profile("out/copy_01.prof", b"300\n100\n");
    assert!(said.is_empty(), "{said:?}");
    assert_eq!((second.state, second.launches[0].number), (LaunchState::Copies, Some(2)));
    assert_eq!(counters(&second, 0), [(Counter::L1HitRate, 75.0)]);
    let (mut both, _) = read_profile("out/copy_00.prof", b"0\n128\n");
    both.merge(second);
    let compared = compare_profile(&report(LaunchState::Copies), &both);
    let rates: Vec<f64> = compared.kernels.iter().map(|kernel| kernel.counters[0].measured).collect();
    assert_eq!(rates, [0.0, 75.0]);
    assert_eq!(compared.kernels[1].measured_kernel, "copy");
}

#[test]
fn prof_files_as_nvprof_printed_them_have_a_value_per_core() {
    let printed = "======== Profiling result:\n  Device, Event Name, Kernel, Values\n\
                   0, l1_global_load_hit, copy(float const *, float*), 100 200\n\
                   0, l1_global_load_miss, copy(float const *, float*), 40 60\n\
                   0, l1_global_load_hit, copy(float const *, float*), 0 0\n\
                   0, l1_global_load_miss, copy(float const *, float*), 0 10\n";
    let profile = good(printed);
    let rates: Vec<_> =
        profile.launches.iter().map(|launch| (launch.number, launch.counters[&Counter::L1HitRate])).collect();
    assert_eq!(rates, [(Some(1), 75.0), (Some(2), 0.0)]);
}

#[test]
fn events_of_fermi_in_csv_give_the_same() {
    let profile = good(
        r#""Device","Kernel","Invocations","Event Name","Min","Max","Avg"
"GeForce GTX 470 (0)","copy(float const *, float*)",2,"l1_global_load_hit",300,300,300
"GeForce GTX 470 (0)","copy(float const *, float*)",2,"l1_global_load_miss",100,100,100
"#,
    );
    assert_eq!((profile.device.as_str(), profile.unknown_metrics), ("GeForce GTX 470", 0));
    assert_eq!(counters(&profile, 0), [(Counter::L1HitRate, 75.0)]);
}

#[test]
fn a_file_that_is_cut_off_empty_or_binary_is_said_to_be() {
    let errors = |name: &str, bytes: &[u8]| {
        let (_, said) = read_profile(name, bytes);
        let error = said.iter().find(|d| d.severity == Severity::Error).unwrap_or_else(|| panic!("{name}: {said:?}"));
        format!("{} | {} | {}", error.expected, error.found, error.help)
    };
    assert!(errors("r.json", &KTT.as_bytes()[..400]).contains("cut off"));
    assert!(errors("r.json", b"{\"schema\": \"T4\"}").contains("T4"));
    assert!(errors("p.csv", b"").contains("an empty file"));
    assert!(errors("p.prof", b"12\n").contains("cut off"));
    assert!(errors("p.prof", b"0\n0\n").contains("both 0"));
    assert!(errors("p.prof", b"1\n2\n3\n").contains("one file for each launch"));
    assert!(errors("p.ncu-rep", b"NVR\0\0\0").contains("ncu --import FILE --csv"));
    assert!(errors("p.nvvp", b"SQLite format 3\0").contains("nvprof --import-profile"));
    let header = NSIGHT_LONG.lines().take(2).collect::<Vec<_>>().join("\n");
    assert!(errors("p.csv", header.as_bytes()).contains("the file may be cut off"));
    let cut = &NSIGHT_LONG[..NSIGHT_LONG.len() - 25];
    let (profile, said) = read_profile("p.csv", cut.as_bytes());
    assert_eq!(
        said.iter().map(|d| (d.severity, d.line)).collect::<Vec<_>>(),
        [(Severity::Warning, Some(6))],
        "{said:?}"
    );
    assert_eq!(profile.launches.len(), 1);
    // The first result of KTT is whole, and the file ends in line 13.
    let (profile, said) = read_profile("r.json", &KTT.as_bytes()[..900]);
    let told: Vec<_> = said.iter().map(|d| (d.severity, d.line, d.expected.as_str())).collect();
    assert_eq!(told, [(Severity::Warning, Some(13), "result 2 as JSON")], "{said:?}");
    assert_eq!(counters(&profile, 0), [(Counter::Microseconds, 3.0)]);
}

#[test]
fn a_damaged_line_leaves_the_others() {
    let told = |text: &str| {
        let (profile, said) = read_profile("p", text.as_bytes());
        let lines: Vec<_> = said.iter().map(|d| (d.severity, d.line)).collect();
        (profile, lines)
    };
    // Line 3 has the first value. An open quote must not take the lines below it.
    let (profile, lines) = told(&NSIGHT_LONG.replacen("\"2,500\"", "\"2,500", 1));
    assert_eq!(lines, [(Severity::Warning, Some(3))]);
    assert_eq!(counters(&profile, 1), [(Counter::Microseconds, 3.0)]);
    let (profile, lines) = told(&NSIGHT_LONG.replacen("\"copy(const float *, float *)\"", "copy(a, b)", 1));
    assert_eq!((lines, profile.launches.len()), (vec![(Severity::Warning, Some(3))], 2), "one column more");
    let (profile, lines) = told(&NSIGHT_LONG.replacen("2,500", "1e999", 1));
    assert_eq!((lines, counters(&profile, 0)), (vec![(Severity::Warning, Some(3))], vec![(Counter::DramReads, 128.0)]));
    let (profile, lines) = told(&KTT.replacen("\"Duration\": 0.003", "\"Duration\": \"long\"", 1));
    assert_eq!((lines, profile.launches.len()), (vec![(Severity::Warning, Some(7))], 1));
    let (profile, lines) = told(
        "a l1_global_load_hit, 1 2\na l1_global_load_miss, 1 x\nb l1_global_load_hit, 3\nb l1_global_load_miss, 1\n",
    );
    assert_eq!(lines, [(Severity::Warning, Some(2))]);
    assert_eq!(counters(&profile, 0), [(Counter::L1HitRate, 75.0)]);
}

#[test]
fn a_profile_among_the_files_is_compared_with_their_kernels() {
    let mut intake = Intake::default();
    for (name, text) in [("copy.cu", COPY), ("ncu.csv", NSIGHT_LONG), ("ktt.json", KTT), ("copy_00.prof", "1\n3\n")] {
        intake.begin(name);
        intake.push(text.as_bytes());
    }
    let contents = intake.finish();
    assert!(!contents.has_error(), "{:?}", contents.diagnostics);
    let roles: Vec<_> = contents.files.iter().map(|file| (file.role, file.format.as_str())).collect();
    let profiles = ["Nsight Compute", "KTT", "nvprof (.prof)"].map(|tool| format!("profile of {tool}"));
    assert_eq!(roles[1..], profiles.each_ref().map(|format| ("profile", format.as_str())));
    let model = lab::CacheModel::Gpu;
    let scenario = Scenario { gpu: "rtx2080ti".into(), model, ..Scenario::default() };
    let report = ScenarioRun::new(&scenario, &contents).expect("a scenario").finish().expect("a report");
    let Report::Gpu(report) = report else { panic!("another model") };
    let measured = report.measured.expect("a comparison");
    assert_eq!(measured.kernels.iter().map(|kernel| kernel.number).collect::<Vec<_>>(), [1, 2]);
    let mut bad = Intake::default();
    bad.begin("ktt.json");
    bad.push(&KTT.as_bytes()[..400]);
    let bad = bad.finish();
    assert!(
        bad.profile.is_none() && bad.diagnostics.iter().any(|d| d.help.contains("cut off")),
        "{:?}",
        bad.diagnostics
    );
}
