//! The hash of a link: readable `key=value` pairs. The version comes first, and values that equal the defaults are left
//! out.
//!
//! `v=1&example=stencil&cuda.size.n=128&gpu=a100&model=reference&seed=7&set.ways=8&kernels=1,3-5&warm=1&view.tab=reuse&file=NAME:SIZE:SHA256&result=FINGERPRINT`
//!
//! A link without a model means the model `paper`, the only one of the first links. `model=gpu` can have a `state` and `classes=1`, and
//! neither a seed nor `warm`, which that model ignores.
//!
//! `base=` holds the link of a baseline, which the result is compared with. A baseline has none of its own.
//!
//! `v=1&exercise=ID&seed=N` opens an exercise of the Learn tab with its own seed.
//!
//! A link carries CUDA text compressed as `cuda.text=`. If the link would become too long, it names the text as a file
//! that the reader must have. This crate reads links of version 1 for ever. A later version gets its own reader beside
//! this one.

use base64::prelude::{Engine, BASE64_URL_SAFE_NO_PAD};
use flate2::{read::DeflateDecoder, write::DeflateEncoder, Compression};
use form_urlencoded::{parse, Serializer};
use lab::{ignores_parameter, CacheModel, CudaSettings, FileId, Format, LaunchState, Scenario, TraceForm};
use std::io::{Read, Write};

/// The greatest length of a link's hash, in characters. Chat and mail programs cut longer links.
pub const MAX_LINK_LENGTH: usize = 4096;

const STATES: &str = "cold, copies, replay or warm";

/// The greatest number of kernels that a link may select.
const MAX_KERNELS: usize = 100_000;

/// Why a link cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The hash is longer than [`MAX_LINK_LENGTH`]. The field is its length.
    #[error("the link is {0} characters long; at most 4096 survive chats and mail programs")]
    TooLong(usize),
    /// The link has a version that this page does not read.
    #[error("the link has version `{0}`; this page reads version 1")]
    Version(String),
    /// Version 1 has no such key.
    #[error("the link has the unknown part `{0}`")]
    UnknownKey(String),
    /// The baseline in the link cannot be read.
    #[error("the baseline in the link: {0}")]
    Base(Box<LinkError>),
    /// The value does not fit its key.
    #[error("the link says {key}={value}; expected {expected}")]
    Value {
        /// The key as it appears in the link.
        key: String,
        /// The rejected value.
        value: String,
        /// A description of the values that the key takes.
        expected: &'static str,
    },
}

/// Writes the hash of a scenario, without `#`.
///
/// # Errors
///
/// Returns [`LinkError::TooLong`] when the names of files make the hash too long.
pub fn write_link(scenario: &Scenario) -> Result<String, LinkError> {
    let too_long = match write_whole_link(scenario) {
        Err(too_long) => too_long,
        whole => return whole,
    };
    // The texts become files that the reader must have, the baseline's first.
    if let Some(base) = scenario.base.as_deref().filter(|base| base.cuda.text.is_some()) {
        return write_link(&Scenario { base: Some(Box::new(without_text(base))), ..scenario.clone() });
    }
    if scenario.cuda.text.is_some() {
        return write_link(&without_text(scenario));
    }
    Err(too_long)
}

/// Writes the hash of a scenario with all of its texts, without `#`.
///
/// # Errors
///
/// Returns [`LinkError::TooLong`] when the hash is longer than a link may be. A file holds such a scenario
/// ([`write_scenario`](crate::write_scenario)).
pub fn write_whole_link(scenario: &Scenario) -> Result<String, LinkError> {
    let link = long_link(scenario);
    if link.len() <= MAX_LINK_LENGTH {
        Ok(link)
    } else {
        Err(LinkError::TooLong(link.len()))
    }
}

/// The hash of a scenario with all of its texts, however long.
pub(crate) fn long_link(scenario: &Scenario) -> String {
    let base = scenario.base.as_deref().map(|base| base_hash(base, scenario));
    hash_of(scenario, base.as_deref())
}

fn without_text(scenario: &Scenario) -> Scenario {
    let cuda = CudaSettings { text: None, ..scenario.cuda.clone() };
    Scenario { cuda, ..scenario.clone() }
}

/// Whether two scenarios name the same files. A text belongs to a file.
fn same_source(a: &Scenario, b: &Scenario) -> bool {
    a.files == b.files && a.example == b.example
}

/// The hash of a baseline. It leaves out the text of a file that the link carries already.
fn base_hash(base: &Scenario, scenario: &Scenario) -> String {
    let same = same_source(base, scenario) && base.cuda.text == scenario.cuda.text;
    if same && base.cuda.text.is_some() {
        hash_of(&without_text(base), None)
    } else {
        hash_of(base, None)
    }
}

fn hash_of(scenario: &Scenario, base: Option<&str>) -> String {
    let default = Scenario::default();
    let mut out = Serializer::new(String::new());
    out.append_pair("v", "1");
    if let Some(example) = &scenario.example {
        out.append_pair("example", example);
    }
    write_cuda(&scenario.cuda, &mut out);
    if scenario.gpu != default.gpu {
        out.append_pair("gpu", &scenario.gpu);
    }
    if scenario.model != default.model {
        out.append_pair("model", &scenario.model.to_string());
    }
    // What a model ignores is not in its link.
    let whole_gpu = scenario.model == CacheModel::Gpu;
    if whole_gpu && scenario.state != default.state {
        out.append_pair("state", &scenario.state.to_string());
    }
    if whole_gpu && scenario.classes {
        out.append_pair("classes", "1");
    }
    if !whole_gpu && scenario.seed != default.seed {
        out.append_pair("seed", &scenario.seed.to_string());
    }
    for (key, value) in scenario.set.iter().filter(|(key, _)| !ignores_parameter(scenario.model, key)) {
        out.append_pair(&format!("set.{key}"), value);
    }
    if !scenario.kernels.is_empty() {
        out.append_pair("kernels", &kernel_ranges(&scenario.kernels));
    }
    if !whole_gpu && scenario.warm {
        out.append_pair("warm", "1");
    }
    for (key, value) in &scenario.view {
        out.append_pair(&format!("view.{key}"), value);
    }
    for file in &scenario.files {
        out.append_pair("file", &format!("{}:{}:{}", file.name, file.size, file.sha256));
    }
    for (number, file) in (1..).zip(&scenario.files) {
        if let Some(format) = &file.format {
            out.append_pair(&format!("as.{number}"), format);
        }
    }
    if let Some(fingerprint) = &scenario.fingerprint {
        out.append_pair("result", fingerprint);
    }
    if let Some(base) = base {
        out.append_pair("base", base);
    }
    out.finish()
}

fn write_cuda(cuda: &CudaSettings, out: &mut Serializer<'_, String>) {
    if cuda.form != CudaSettings::default().form {
        out.append_pair("cuda.form", cuda.form.word());
    }
    for (name, value) in &cuda.sizes {
        out.append_pair(&format!("cuda.size.{name}"), value);
    }
    if let Some(launch) = &cuda.launch {
        out.append_pair("cuda.launch", launch);
    }
    if let Some(text) = cuda.text.as_deref().and_then(pack_text) {
        out.append_pair("cuda.text", &text);
    }
}

fn read_cuda(cuda: &mut CudaSettings, key: &str, value: &str) -> Result<(), LinkError> {
    let bad = |expected| LinkError::Value { key: format!("cuda.{key}"), value: value.into(), expected };
    match (key, value) {
        ("form", word) => cuda.form = TraceForm::named(word).ok_or_else(|| bad("written or compiled"))?,
        ("launch", _) => cuda.launch = Some(value.into()),
        ("text", _) => cuda.text = Some(unpack_text(value).ok_or_else(|| bad("a packed text"))?),
        _ => match key.strip_prefix("size.") {
            Some(name) => drop(cuda.sizes.insert(name.into(), value.into())),
            None => return Err(LinkError::UnknownKey(format!("cuda.{key}"))),
        },
    }
    Ok(())
}

/// The greatest size of a decompressed CUDA text, in bytes. It bounds the memory that a crafted link can take.
const MAX_TEXT_BYTES: u64 = 1 << 20;

fn pack_text(text: &str) -> Option<String> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    packer.write_all(text.as_bytes()).ok()?;
    Some(BASE64_URL_SAFE_NO_PAD.encode(packer.finish().ok()?))
}

fn unpack_text(packed: &str) -> Option<String> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(packed).ok()?;
    let mut text = String::new();
    let read = DeflateDecoder::new(&*bytes).take(MAX_TEXT_BYTES).read_to_string(&mut text).ok()?;
    (read > 0).then_some(text)
}

/// Reads a hash, with or without `#`. An empty hash gives the default scenario.
///
/// # Errors
///
/// Returns a [`LinkError`] that names the part which cannot be read.
pub fn parse_link(hash: &str) -> Result<Scenario, LinkError> {
    let hash = hash.trim_start_matches('#');
    if hash.len() > MAX_LINK_LENGTH {
        return Err(LinkError::TooLong(hash.len()));
    }
    parse_any(hash)
}

/// Reads a hash of any length, without `#`.
pub(crate) fn parse_any(hash: &str) -> Result<Scenario, LinkError> {
    let (mut scenario, base) = parse_one(hash)?;
    let Some(base) = base else { return Ok(scenario) };
    let wrong = |expected| LinkError::Value { key: "base".into(), value: base.clone(), expected };
    if base.is_empty() {
        return Err(wrong("the link of a run, such as v=1&example=stencil"));
    }
    let (mut baseline, more) = parse_one(&base).map_err(|error| LinkError::Base(Box::new(error)))?;
    if more.is_some() {
        return Err(wrong("a link without a base of its own; leave out the inner one"));
    }
    if same_source(&baseline, &scenario) && baseline.cuda.text.is_none() {
        baseline.cuda.text.clone_from(&scenario.cuda.text);
    }
    scenario.base = Some(Box::new(baseline));
    Ok(scenario)
}

/// Reads a hash but for its baseline, which is given back as it stands there.
fn parse_one(hash: &str) -> Result<(Scenario, Option<String>), LinkError> {
    let mut scenario = Scenario::default();
    let (mut base, mut exercise) = (None, None);
    let mut read_as = Vec::new();
    for (i, (key, value)) in parse(hash.as_bytes()).enumerate() {
        let bad = |expected| LinkError::Value { key: key.to_string(), value: value.to_string(), expected };
        match &*key {
            "v" if value == "1" => {}
            "v" => return Err(LinkError::Version(value.into())),
            _ if i == 0 => return Err(LinkError::Version(format!("{key}={value}"))),
            "example" => scenario.example = Some(value.into()),
            "gpu" => scenario.gpu = value.into(),
            "model" => scenario.model = CacheModel::named(&value).ok_or_else(|| bad("gpu, paper or reference"))?,
            "state" => scenario.state = LaunchState::named(&value).ok_or_else(|| bad(STATES))?,
            "seed" => {
                let seed = value.parse().ok().filter(|seed| *seed <= Scenario::MAX_SEED);
                scenario.seed = seed.ok_or_else(|| bad("a whole number up to 9007199254740991"))?;
            }
            "file" => scenario.files.push(parse_file(&value).ok_or_else(|| bad("NAME:SIZE:SHA256"))?),
            "kernels" => {
                scenario.kernels =
                    parse_kernel_numbers(&value).ok_or_else(|| bad("numbers and ranges such as 1,3-5"))?;
            }
            "classes" if value == "1" => scenario.classes = true,
            "warm" if value == "1" => scenario.warm = true,
            "classes" | "warm" => return Err(bad("1")),
            "result" => scenario.fingerprint = Some(value.into()),
            "base" => base = Some(value.into()),
            "exercise" => exercise = Some(value.to_string()),
            // The language of the page, which takes this part out itself: a result has none.
            "lang" => {}
            _ => match key.split_once('.') {
                Some(("cuda", name)) => read_cuda(&mut scenario.cuda, name, &value)?,
                Some(("set", name)) => drop(scenario.set.insert(name.into(), value.into())),
                Some(("view", name)) => drop(scenario.view.insert(name.into(), value.into())),
                Some(("as", number)) => read_as.push((number.to_string(), value.to_string())),
                _ => return Err(LinkError::UnknownKey(key.into())),
            },
        }
    }
    if let Some(exercise) = exercise {
        open_exercise(&mut scenario, exercise);
    }
    check_model(&scenario)?;
    read_as.into_iter().try_for_each(|(number, format)| set_file_format(&mut scenario.files, number, format))?;
    Ok((scenario, base))
}

/// A link to an exercise opens it in the Learn tab. The link's seed is then the exercise's, not that of a run.
fn open_exercise(scenario: &mut Scenario, exercise: String) {
    let seed = std::mem::replace(&mut scenario.seed, Scenario::default().seed);
    scenario.view.insert("learn.exercise".into(), exercise);
    scenario.view.insert("learn.seed".into(), seed.to_string());
    scenario.view.entry("tab".into()).or_insert_with(|| "learn".into());
}

/// Refuses what the model of a link would ignore.
fn check_model(scenario: &Scenario) -> Result<(), LinkError> {
    let default = Scenario::default();
    let whole_gpu = scenario.model == CacheModel::Gpu;
    let ignored = [
        (
            "state",
            scenario.state.to_string(),
            !whole_gpu && scenario.state != default.state,
            "model=gpu beside it, because the other models begin with empty caches",
        ),
        (
            "classes",
            "1".into(),
            !whole_gpu && scenario.classes,
            "model=gpu beside it, because the other models always give classes",
        ),
        (
            "seed",
            scenario.seed.to_string(),
            whole_gpu && scenario.seed != default.seed,
            "no seed beside model=gpu, which draws nothing by chance",
        ),
        ("warm", "1".into(), whole_gpu && scenario.warm, "state=warm beside model=gpu"),
    ];
    match ignored.into_iter().find(|(_, _, wrong, _)| *wrong) {
        Some((key, value, _, expected)) => Err(LinkError::Value { key: key.into(), value, expected }),
        None => Ok(()),
    }
}

/// Sets the format of a file, which is counted from 1.
fn set_file_format(files: &mut [FileId], number: String, format: String) -> Result<(), LinkError> {
    let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (at.and_then(|at| files.get_mut(at)), Format::from_key(&format)) {
        (Some(file), Some(_)) => file.format = Some(format),
        (file, _) => {
            let expected = if file.is_some() { "a format such as csv" } else { "the number of a file in the link" };
            return Err(LinkError::Value { key: format!("as.{number}"), value: format, expected });
        }
    }
    Ok(())
}

/// Sorts kernel numbers and writes them as `1,3-5`.
fn kernel_ranges(numbers: &[u32]) -> String {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let runs = sorted.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let text = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(u32::to_string).collect(),
    });
    text.collect::<Vec<_>>().join(",")
}

/// Reads kernel numbers, counted from 1, from text such as `1,3-5`. It accepts at most [`MAX_KERNELS`] of them.
fn parse_kernel_numbers(text: &str) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
        if first == 0 || last < first || (last - first) as usize >= MAX_KERNELS - all.len() {
            return None;
        }
        all.extend(first..=last);
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}

fn parse_file(value: &str) -> Option<FileId> {
    let (rest, sha256) = value.rsplit_once(':')?;
    let (name, size) = rest.rsplit_once(':')?;
    let hexadecimal = sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    Some(FileId { name: name.into(), size: size.parse().ok()?, sha256: sha256.into(), format: None })
        .filter(|_| hexadecimal)
}
