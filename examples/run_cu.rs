//! scratch
use warpscope::kernel::{emulate, Options};
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let t = std::time::Instant::now();
        let run = emulate(&path, &text, &Options::default());
        println!("{path}: {} launches, {:?}", run.launches.len(), t.elapsed());
        for l in &run.launches {
            println!("  {} accesses {} instr {}  {:?}", l.kernel, l.trace.access_count(), l.counts.total(), l.counts);
        }
        for d in run.diagnostics.iter().take(4) {
            println!("  {d}");
        }
        if !run.output.is_empty() {
            println!("{}", &run.output[..run.output.len().min(400)]);
        }
    }
}
