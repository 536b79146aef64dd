//! The page's types of what crosses the boundary are those of Rust: `www/engine/generated/index.ts` is written from the
//! structs (`npm run types`), and this test fails when it is not current. So is the table of compared numbers, `compare.json`.

#![allow(clippy::disallowed_methods)] // it reads and writes the file of the page

use lab::*;
use std::collections::BTreeMap;
use ts_rs::{Config, TypeVisitor, TS};
use warpscope::shapes::*;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/www/engine/generated/index.ts");
const HEADER: &str = "// Written by `npm run types` from the Rust structs. Change those instead.\n";

/// Declarations by name, of types and all that they are made of.
struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of the language, such as lists, have no place of their own.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        let text = laid_out(&format!("{}export {}", T::docs().unwrap_or_default(), T::decl(&self.config)));
        match self.found.insert(name.clone(), text.clone()) {
            None => T::visit_dependencies(self),
            Some(before) => assert_eq!(before, text, "two types are called {name}"),
        }
    }
}

impl Declarations {
    fn with<T: TS + 'static + ?Sized>(mut self) -> Self {
        self.visit::<T>();
        self
    }
}

/// A declaration with a line for each comment and field; fields are indented.
fn laid_out(declaration: &str) -> String {
    let compact = declaration.replace("/**\n * ", "/** ").replace("\n */", " */").replace(", }", " }");
    let mut inside = false;
    let mut out = String::new();
    for line in compact.lines().map(str::trim_end) {
        if inside {
            out += "  ";
        }
        inside |= line.starts_with("export");
        out += line;
        out.push('\n');
    }
    out
}

/// What the page receives, and what it sends.
fn declarations() -> String {
    // Integers cross as JavaScript numbers.
    let config = Config::new().with_large_int("number");
    let all = Declarations { config, found: BTreeMap::new() }
        .with::<PageError>()
        .with::<Look>()
        .with::<CountFilter>()
        .with::<IntakeInfo>()
        .with::<IntakeStep>()
        .with::<AccessCounts>()
        .with::<GpuLevels>()
        .with::<StepOutcome<'static>>()
        .with::<SweepOutline>()
        .with::<SweepTable>()
        .with::<ComparedNumber>()
        .with::<PointStep>()
        .with::<PaperOutline>()
        .with::<PaperReport>()
        .with::<WhyProgress>()
        .with::<TextsStep>()
        .with::<LaunchOutlineShape>()
        .with::<Scenario>()
        .with::<Parameter>()
        .with::<PresetInfo>()
        .with::<ExampleInfo>()
        .with::<View>()
        .with::<MeasuredView<'static>>()
        .with::<FactDifference>()
        .with::<SizeCurve>()
        .with::<HiddenGpu>()
        .with::<Experiment>()
        .with::<ExperimentOutcome>()
        .with::<GpuGuess>()
        .with::<DiscoverReport>()
        .with::<MachineLevels>()
        .with::<MachineMeasurement>()
        .with::<ReuseInput>()
        .with::<OutcomeStep<ExperimentOutcome>>()
        .with::<PartStep>()
        .with::<EngineShape>()
        .with::<ReuseStep>()
        .with::<DistanceBar>()
        .with::<ReuseChart>()
        .with::<PlaceAsk>()
        .with::<Trained>()
        .with::<TrainingStep>()
        .with::<ChangeAsk>()
        .with::<ChangedText>()
        .with::<lab::ChangeRow>()
        .with::<PlacementInput>()
        .with::<PlacementPrepared>()
        .with::<PlacementProgress>()
        .with::<PlacementRanking>()
        .with::<PlacementDetails>()
        .with::<TermBar>()
        .with::<FlipTimes>()
        .with::<DramAnswer>()
        .with::<DramReveal>()
        .with::<course::Given>()
        .with::<course::HandIn>()
        .with::<CourseStep>();
    let texts: Vec<String> = all.found.into_values().collect();
    format!("{HEADER}\n{}", texts.join("\n"))
}

/// The numbers that the page compares two runs by.
const NUMBERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/www/engine/generated/compare.json");

#[test]
fn the_compared_numbers_of_the_page_are_current() {
    let wanted = serde_json::to_string_pretty(&compared_numbers()).unwrap() + "\n";
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(NUMBERS, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(NUMBERS).unwrap_or_default();
    assert!(found == wanted, "{NUMBERS} is not current: run `npm run types`");
}

#[test]
fn the_types_of_the_page_are_current() {
    let wanted = declarations();
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(FILE, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(found == wanted, "{FILE} is not current: run `npm run types`");
}
