//! A GPU is defined by its facts. A preset that is read from its own JSON under another id and name gives the same
//! results.

use base::Job;
use gpu::{preset, presets, read_topology, summary, write_topology};
use lab::{
    hierarchy_boxes, inherited, parameters, topology_facts, CacheModel, CacheRun, Contents, GpuRun, PlacementRequest,
    PlacementRun, Scenario, Topology,
};
use placement::Machine;
use probe::mystery::hidden_gpu;

/// Returns each preset as it is built in, and under the other name as if it were read from a file.
fn pairs() -> Vec<(Topology, Topology)> {
    let renamed = |id: &str| {
        let known = preset(id).expect("a preset");
        let other = Topology { id: "some-gpu".into(), name: "A GPU of another name".into(), ..known.clone() };
        let (read, said) = read_topology("some-gpu.json", write_topology(&other).as_bytes());
        assert!(said.is_empty(), "{id}: {said:?}");
        (known, read.expect("a topology"))
    };
    presets().into_iter().map(renamed).collect()
}

/// Returns the kernels of an example with a topology that was read from a file.
fn contents(example: &str, gpu: &Topology) -> Contents {
    let mut contents = Contents::of_example(example).expect("an example");
    contents.topology = Some(gpu.clone());
    contents
}

#[test]
fn what_is_shown_of_a_gpu_is_the_same() {
    for (known, renamed) in pairs() {
        let id = &known.id;
        for model in CacheModel::ALL {
            let list = |gpu: &Topology| format!("{:?}", parameters(gpu, model));
            assert_eq!(list(&renamed), list(&known), "{id}");
        }
        assert_eq!(topology_facts(&renamed), topology_facts(&known), "{id}");
        assert_eq!(inherited(&renamed), inherited(&known), "{id}");
        assert_eq!(summary(&renamed), summary(&known), "{id}");
        let (mut boxes, other) = (hierarchy_boxes(&known), hierarchy_boxes(&renamed));
        boxes.title.clone_from(&other.title);
        assert_eq!(other, boxes, "{id}");
    }
}

#[test]
fn what_the_models_take_from_a_gpu_is_the_same() {
    for (known, renamed) in pairs() {
        let id = &known.id;
        assert_eq!(
            format!("{:?}", Machine::from_topology(&renamed)),
            format!("{:?}", Machine::from_topology(&known)),
            "{id}"
        );
        let hidden = |gpu: &Topology| {
            let spec = hidden_gpu(gpu, 0.02, 0.01);
            let (names, is_table) = (spec.name.clone(), spec.name.contains("thesis table"));
            (format!("{spec:?}").replace(&names, ""), is_table.then_some(names))
        };
        assert_eq!(hidden(&renamed), hidden(&known), "{id}");
    }
}

#[test]
fn a_cache_run_is_the_same() {
    for (known, renamed) in pairs() {
        let run = |gpu: &str| {
            let scenario = Scenario { gpu: gpu.into(), ..Scenario::default() };
            let report = CacheRun::new(&scenario, &contents("matvec-rows", &renamed))
                .expect("a run")
                .finish()
                .expect("a report");
            let text = serde_json::to_string(&(&report.kernels, &report.parameters, &report.notes));
            // A note contains the name of the GPU.
            text.expect("plain data").replace(&renamed.name, &known.name)
        };
        assert!(run(Scenario::FILE_GPU) == run(&known.id), "{}", known.id);
    }
}

#[test]
fn a_run_of_the_whole_gpu_is_the_same() {
    for (known, renamed) in pairs() {
        assert_eq!(CacheModel::default_for(&renamed), CacheModel::default_for(&known), "{}", known.id);
        let run = |gpu: &str| {
            let scenario = Scenario { gpu: gpu.into(), model: CacheModel::Gpu, ..Scenario::default() };
            let contents = contents("matvec-rows", &renamed);
            let report = GpuRun::new(&scenario, &contents).expect("a run").finish().expect("a report");
            serde_json::to_string(&report.kernels).expect("plain data")
        };
        assert!(run(Scenario::FILE_GPU) == run(&known.id), "{}", known.id);
    }
}

#[test]
fn a_placement_is_the_same() {
    for (i, (known, renamed)) in pairs().into_iter().enumerate() {
        // A run on the whole GPU of each has a test of its own, so placements on it take a sixth of them.
        for model in ["default", "seed"].into_iter().filter(|model| *model == "seed" || i % 6 == 0) {
            let place = |gpu: &str| {
                let request = PlacementRequest { gpu: gpu.into(), model: model.into(), ..PlacementRequest::default() };
                let mut report = PlacementRun::new(request, &contents("stencil", &renamed)).expect("a run").finish();
                report.gpu.clear();
                serde_json::to_string(&report).expect("plain data")
            };
            assert!(place(Scenario::FILE_GPU) == place(&known.id), "{} {model}", known.id);
        }
    }
}
