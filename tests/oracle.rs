//! `reference` against the numbers of the HPCA'14 authors' own program: equality, not closeness.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use warpscope::cache::{Outcome, Params, Reference};
use warpscope::exec::{align_lanes, resident_blocks, CoreLimits, LaneLoads, UNKNOWN_LIMIT};
use warpscope::job::Job;
use warpscope::topology::{SetIndex, Stores};
use warpscope::trace::*;

fn read(path: &std::path::Path) -> Trace {
    use std::io::Read;
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let block: u64 = lines.next().unwrap().split_whitespace().skip(1).map(|w| w.parse::<u64>().unwrap()).product();
    let mut threads: Vec<Vec<(u64, u16)>> = Vec::new();
    for line in lines {
        let f: Vec<u64> = line.split_whitespace().map(|w| w.parse().unwrap()).collect();
        if f[1] == 0 {
            let t = f[0] as usize;
            if t >= threads.len() {
                threads.resize(t + 1, Vec::new());
            }
            threads[t].push((f[2], f[3] as u16));
        }
    }
    let blocks = (threads.len() as u64).div_ceil(block);
    let launch = Launch {
        grid: Dim3::new(blocks as u32, 1, 1),
        block: Dim3::new(block as u32, 1, 1),
        shared_bytes: 0,
        registers: 0,
    };
    let mut b = TraceBuilder::new("k", launch);
    for bl in 0..blocks {
        b.begin_block(Dim3::new(bl as u32, 0, 0));
        for w in 0..block.div_ceil(32) {
            b.begin_warp(w as u32);
            let lanes: Vec<&[(u64, u16)]> = (0..32)
                .map(|l| {
                    let inb = w * 32 + l;
                    if inb < block {
                        threads.get((bl * block + inb) as usize).map_or(&[][..], |v| v)
                    } else {
                        &[]
                    }
                })
                .collect();
            for k in 0..lanes.iter().map(|l| l.len()).max().unwrap_or(0) {
                let mut mask = 0u32;
                let mut addrs = vec![];
                let mut bytes = 4;
                for (l, v) in lanes.iter().enumerate() {
                    if let Some(&(a, n)) = v.get(k) {
                        mask |= 1 << l;
                        addrs.push(a);
                        bytes = n;
                    }
                }
                let s = b.site(Site {
                    pc: 0,
                    opcode: "".into(),
                    source_line: None,
                    space: Space::Global,
                    kind: Kind::Load,
                    bytes,
                });
                b.access(s, mask, &addrs);
            }
        }
    }
    b.finish()
}

fn params(config: &Value, seed: u64) -> Params {
    let n = |k: &str| config[k].as_u64().unwrap();
    let mut masks: Vec<u64> =
        [(7, 13), (8, 14), (9, 15), (10, 17), (11, 19)].iter().map(|(a, b)| 1 << a | 1 << b).collect();
    if n("bytes") > 16384 {
        masks.push(1 << 12);
    }
    Params {
        line_bytes: n("line_bytes"),
        ways: n("ways") as u32,
        sets: (n("bytes") / n("ways") / n("line_bytes")) as u32,
        set_index: SetIndex::XorMasks(masks),
        mshrs: n("mshrs"),
        latency: n("latency"),
        sigma: n("sigma") as f64,
        hit_latency: 0,
        cores: 1,
        core_limit: 1,
        block_limit: u64::MAX,
        limits: CoreLimits { threads: 1536, blocks: 8, shared_bytes: UNKNOWN_LIMIT, registers: UNKNOWN_LIMIT },
        blocking: true,
        clip: true,
        stores: Stores::None,
        seed,
    }
}

fn run(loads: &LaneLoads, trace: &Trace, params: &Params) -> [Outcome; 4] {
    let limits = CoreLimits { shared_bytes: UNKNOWN_LIMIT, registers: UNKNOWN_LIMIT, ..params.limits };
    params.cases().map(|p| Reference::new(loads, p, resident_blocks(&trace.launch, &limits)).finish())
}

fn histogram(outcome: &Outcome) -> BTreeMap<String, u64> {
    let mut h: BTreeMap<String, u64> =
        outcome.histogram.counts().into_iter().map(|(d, n)| (d.to_string(), n)).collect();
    if outcome.histogram.infinite() > 0 {
        h.insert("inf".into(), outcome.histogram.infinite());
    }
    h
}

#[test]
fn all_kernels() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/oracle");
    let Ok(text) = std::fs::read_to_string(dir.join("expected.json")) else {
        println!("skipped: no oracle data");
        return;
    };
    let expected: Value = serde_json::from_str(&text).unwrap();
    let mut bad = 0;
    for (kernel, configs) in expected["kernels"].as_object().unwrap() {
        let trace = read(&dir.join(format!("{kernel}.trc.gz")));
        for (name, want) in configs.as_object().unwrap() {
            let p = params(&expected["configs"][name], 1);
            let loads = align_lanes(&trace, p.line_bytes).unwrap();
            let t = std::time::Instant::now();
            let got = run(&loads, &trace, &p);
            let ns = t.elapsed().as_nanos() as f64 / 4.0 / want["accesses"].as_f64().unwrap();
            let mut line = format!("{kernel} {name} {ns:.0} ns");
            for case in 0..4 {
                let h: BTreeMap<String, u64> = serde_json::from_value(want["hist_seed1"][case].clone()).unwrap();
                let same = h == histogram(&got[case])
                    && want["ticks_seed1"][case] == got[case].ticks
                    && want["cancels_seed1"][case] == got[case].cancels;
                line += if same { " ok" } else { " BAD" };
                if !same {
                    bad += 1;
                    line += &format!(
                        "[t {} {} c {} {} h {}]",
                        want["ticks_seed1"][case],
                        got[case].ticks,
                        want["cancels_seed1"][case],
                        got[case].cancels,
                        h == histogram(&got[case])
                    );
                }
            }
            use warpscope::cache::*;
            let requests = warpscope::exec::coalesce(&trace, 128, warpscope::exec::StoreUse::Ignore).unwrap();
            let t = std::time::Instant::now();
            let o = Paper::new(&requests, p.clone(), resident_blocks(&trace.launch, &p.limits), true).finish();
            let n = o.total.requests();
            let ns = t.elapsed().as_nanos() as f64 / n as f64;
            let proto: Value =
                serde_json::from_str(&std::fs::read_to_string(dir.join("paper_prototype.json")).unwrap()).unwrap();
            let pr = &proto["kernels"][kernel][name];
            line += &format!(
                "  paper {ns:.0} ns n {n}/{} excl {:.2}/{} incl {:.2}/{} cancels {}",
                pr["n"],
                o.total.misses() as f64 * 100. / n as f64,
                pr["mr_excl"],
                (n - o.total.of(Class::Hit)) as f64 * 100. / n as f64,
                pr["mr_incl"],
                o.cancels
            );
            println!("{line}");
        }
    }
    assert_eq!(bad, 0);
}
