//! Virtual GPUs: what the discovery finds against what was hidden.

use std::time::Instant;
use warpscope::probe::discover::{discover, score};
use warpscope::probe::mystery::{mystery, thesis_gpu, thesis_gpus};
use warpscope::probe::VirtualGpu;

#[test]
fn mystery_gpus_are_found_out() {
    let n: u64 = std::env::var("MYSTERY").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let begin = Instant::now();
    let (mut sizes, mut right, mut grains, mut fine) = (0, 0, 0, 0);
    let (mut sharing, mut amounts, mut amounts_right, mut latency) = (0, 0, 0, 0);
    let mut global = 0;
    for seed in std::env::var("FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0)..n {
        let spec = mystery(seed);
        let mut gpu = VirtualGpu::new(spec.clone(), seed);
        let found = discover(&mut gpu, 99);
        let score = score(&spec, &found);
        global += u64::from(score.global_in_l1);
        sharing += u64::from(score.sharing);
        for cache in &score.caches {
            sizes += 1;
            right += u64::from(cache.size);
            grains += 1 + u64::from(cache.line.is_some());
            fine += u64::from(cache.fetch) + u64::from(cache.line == Some(true));
            latency += u64::from(cache.latency);
            amounts += u64::from(cache.amount.is_some());
            amounts_right += u64::from(cache.amount == Some(true));
            if !cache.size || !cache.fetch || cache.line == Some(false) || cache.amount == Some(false) || !cache.latency
            {
                let f = found.caches.iter().find(|c| c.memory == cache.memory);
                println!(
                    "{seed} {cache:?}\n   {:?} usable {:?}\n   {f:?} noise {:.3} outliers {:.3}",
                    spec.cache(cache.memory),
                    spec.usable(cache.memory),
                    spec.noise,
                    spec.outliers
                );
            }
        }
        if !score.sharing || !score.global_in_l1 || !score.memories {
            println!("{seed}: {score:?}\n{:?}\n{:?} noise {}", found.shared, spec.levels, spec.noise);
        }
    }
    println!("global {global}/{n} sizes {right}/{sizes} grains {fine}/{grains} sharing {sharing}/{n} amounts {amounts_right}/{amounts} latency {latency}/{sizes} in {:?}", begin.elapsed());
}

#[test]
fn thesis_tables() {
    for id in thesis_gpus() {
        let begin = Instant::now();
        let spec = thesis_gpu(id).expect("a table");
        let found = discover(&mut VirtualGpu::new(spec.clone(), 7), 99);
        println!("{id} {:?}: {:?}", begin.elapsed(), score(&spec, &found));
        for c in &found.caches {
            println!(
                "   {:?} {:?} >{:?} step {} line {:?} fetch {:?} p50 {}",
                c.memory,
                c.size.map(|s| s as f64 / 1024.0),
                c.larger_than,
                c.step,
                c.line,
                c.fetch,
                c.latency.p50
            );
        }
        println!("   {:?} {:?}", found.shared, found.amounts);
    }
}
