//! Reads an exercise file.
//!
//! In: bytes, which may be anything. Out: an [`Exercise`], or what is wrong with its place. Names are checked here, so that an
//! exercise that was read refers to nothing that is not there.

use crate::exercise::{
    Answer, Choice, ChoiceAnswer, ChoiceOption, Draw, Exercise, Figure, KernelAnswer, LockedAnswer, NearNumber,
    NumberAnswer, OrderItem, Parameter, RowAnswer,
};
use crate::json::{At, Fault};
use crate::quantity::{Quantity, KINDS};
use base::{excerpt, Diagnostic};
use lab::example_kernel;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The largest file. An exercise with a kernel and texts in two languages has about 8 kB.
pub const MOST_BYTES: usize = 256 << 10;
const VERSION: f64 = 1.0;
const MOST_PARAMETERS: usize = 16;
const MOST_VALUES: usize = 24;
const MOST_ITEMS: usize = 16;
const MOST_KERNEL: usize = 40_000;

const FIELDS: [&str; 16] = [
    "$schema",
    "warpscope_exercise",
    "id",
    "level",
    "title",
    "goal",
    "start",
    "parameters",
    "values",
    "steps",
    "question",
    "answer",
    "hints",
    "solution",
    "figure",
    "reading",
];

/// Reads an exercise from a file called `name`.
///
/// # Errors
///
/// Returns a diagnostic with the line of a flaw in the JSON, or with the path of one in the exercise.
pub fn read_exercise(name: &str, bytes: &[u8]) -> Result<Exercise, Vec<Diagnostic>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.len() > MOST_BYTES {
        let found = format!("{} bytes", bytes.len());
        let help = "an exercise is a short JSON file; choose that one";
        return Err(vec![Diagnostic::error(name, "an exercise file of at most 256 KiB", found, help)]);
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let line = bytes.split(|byte| *byte == b'\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        let near = excerpt(&line[error.column().saturating_sub(1).min(line.len())..]);
        let found = format!("{} at {near}", error.to_string().split(" at line ").next().unwrap_or_default());
        let error_of = Diagnostic::error(name, "JSON", found, "mend the JSON here; text needs quotation marks");
        vec![Diagnostic { line: Some(error.line() as u64), ..error_of }]
    })?;
    let hash = Sha256::digest(bytes);
    let sha256 = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let exercise = exercise(&At::root(&value), sha256).map_err(|fault| vec![fault.of_file(name)])?;
    let faults = crate::check_names::faults(&exercise);
    if faults.is_empty() {
        Ok(exercise)
    } else {
        Err(faults.into_iter().map(|fault| fault.of_file(name)).collect())
    }
}

fn exercise(at: &At<'_>, sha256: String) -> Result<Exercise, Fault> {
    at.only(&FIELDS)?;
    let version = at.get("warpscope_exercise")?;
    if version.number()? != VERSION {
        return Err(version.fault("1, the version of this format"));
    }
    let words_list = |key| at.list_of(key, MOST_ITEMS)?.iter().map(At::words).collect::<Result<Vec<_>, _>>();
    let hints = words_list("hints")?;
    if hints.len() != 2 {
        return Err(at.get("hints")?.fault("two hints"));
    }
    Ok(Exercise {
        id: id(&at.get("id")?)?,
        level: level(&at.get("level")?)?,
        sha256,
        title: at.get("title")?.words()?,
        goal: at.get("goal")?.words()?,
        start: at.find("start").map(|start| start.text().map(str::to_string)).transpose()?,
        parameters: at.list_of("parameters", MOST_PARAMETERS)?.iter().map(parameter).collect::<Result<_, _>>()?,
        values: at.list_of("values", MOST_VALUES)?.iter().map(quantity).collect::<Result<_, _>>()?,
        steps: words_list("steps")?,
        question: at.get("question")?.words()?,
        answer: answer(&at.get("answer")?)?,
        hints,
        solution: at.get("solution")?.words()?,
        figure: at.find("figure").map(|at| figure(&at)).transpose()?,
        reading: words_list("reading")?,
    })
}

fn id(at: &At<'_>) -> Result<String, Fault> {
    let text = at.text()?;
    let fits = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if fits && !text.is_empty() && text.len() <= 60 {
        Ok(text.into())
    } else {
        Err(at.fault("an identifier of small letters, digits and `-`"))
    }
}

fn level(at: &At<'_>) -> Result<u8, Fault> {
    match at.number()? {
        1.0 => Ok(1),
        2.0 => Ok(2),
        3.0 => Ok(3),
        _ => Err(at.fault("a level: 1, 2 or 3")),
    }
}

fn figure(at: &At<'_>) -> Result<Figure, Fault> {
    at.only(&["of", "kind"])?;
    Ok(Figure { of: at.get("of")?.name()?, kind: at.get("kind")?.text()?.into() })
}

fn parameter(at: &At<'_>) -> Result<Parameter, Fault> {
    at.only(&["name", "choose", "from", "to", "step", "is"])?;
    let name = at.get("name")?.name()?;
    if let Some(list) = at.find("choose") {
        let choices = list.list(64)?.iter().map(choice).collect::<Result<Vec<_>, _>>()?;
        if choices.is_empty() {
            return Err(list.fault("at least one choice"));
        }
        return Ok(Parameter { name, draw: Draw::Choose(choices) });
    }
    if let Some(formula) = at.find("is") {
        return Ok(Parameter { name, draw: Draw::Formula(formula.formula()?) });
    }
    let (from, to) = (at.get("from")?.number()?, at.get("to")?.number()?);
    let step = at.find("step").map_or(Ok(1.0), |step| step.number())?;
    let fits = step > 0.0 && to >= from && (to - from) / step <= 1e6;
    fits.then_some(Parameter { name, draw: Draw::Range { from, to, step } })
        .ok_or_else(|| at.fault("`from` not above `to`, a positive `step`, and at most a million steps"))
}

fn choice(at: &At<'_>) -> Result<Choice, Fault> {
    if !at.is_text() {
        return Ok(Choice::Number(at.number()?));
    }
    // It goes into links, where other characters would mean something else.
    let text = at.text()?;
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) && text.len() <= 40;
    plain.then(|| Choice::Text(text.into())).ok_or_else(|| at.fault("letters, digits, `-`, `_` and `.`"))
}

fn quantity(at: &At<'_>) -> Result<Quantity, Fault> {
    let kind_at = at.get("kind")?;
    let kind = KINDS.iter().find(|kind| kind_at.text().is_ok_and(|name| name == kind.name));
    let kind = kind.ok_or_else(|| {
        kind_at.fault(format!("a kind: {}", KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")))
    })?;
    let inputs = kind.numbers.iter().map(|(name, _)| *name).chain(kind.texts.iter().copied());
    let known: Vec<&str> = ["name", "kind", "take"].into_iter().chain(inputs).collect();
    at.only(&known)?;
    let (mut numbers, mut texts, mut take) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (name, default) in kind.numbers {
        match at.find(name) {
            Some(formula) => drop(numbers.insert(*name, formula.formula()?)),
            None if default.is_some() => {}
            None => drop(at.get(name)?),
        }
    }
    for name in kind.texts {
        if let Some(text) = at.find(name) {
            texts.insert(*name, text.text()?.to_string());
        }
    }
    if kind.name == "report" || kind.name == "placement" {
        at.get("link")?;
    }
    if let Some(list) = at.find("take") {
        for (name, path) in list.entries(32)? {
            if !crate::json::is_name(name) {
                return Err(path.fault("a name of small letters, digits and `_` before it"));
            }
            take.insert(name.to_string(), path.text()?.to_string());
        }
    }
    let name = at.get("name")?.name()?;
    Ok(Quantity { name, kind, numbers, texts, take })
}

fn answer(at: &At<'_>) -> Result<Answer, Fault> {
    let kind = at.get("kind")?;
    match kind.text()? {
        "number" => number_answer(at).map(Answer::Number),
        "choice" => {
            at.only(&["kind", "several", "options"])?;
            let options = at.get("options")?.list(MOST_ITEMS)?.iter().map(option).collect::<Result<_, _>>()?;
            let several = at.find("several").map_or(Ok(false), |several| several.boolean())?;
            Ok(Answer::Choice(ChoiceAnswer { several, options }))
        }
        "order" => {
            at.only(&["kind", "items"])?;
            let items = at.get("items")?.list(MOST_ITEMS)?;
            items.iter().map(order_item).collect::<Result<_, _>>().map(Answer::Order)
        }
        "row" => row_answer(at).map(Answer::Row),
        "kernel" => kernel_answer(at).map(|answer| Answer::Kernel(Box::new(answer))),
        "locked" => locked_answer(at).map(Answer::Locked),
        _ => Err(kind.fault("number, choice, order, row, kernel or locked")),
    }
}

fn share_of(at: &At<'_>, key: &str) -> Result<f64, Fault> {
    let Some(at) = at.find(key) else { return Ok(0.0) };
    let number = at.number()?;
    (number >= 0.0).then_some(number).ok_or_else(|| at.fault("a number of at least 0"))
}

fn number_answer(at: &At<'_>) -> Result<NumberAnswer, Fault> {
    at.only(&["kind", "is", "tolerance", "within", "unit", "near"])?;
    let near = |at: &At<'_>| -> Result<NearNumber, Fault> {
        at.only(&["is", "say"])?;
        Ok(NearNumber { is: at.get("is")?.formula()?, say: at.get("say")?.words()? })
    };
    Ok(NumberAnswer {
        is: at.get("is")?.formula()?,
        tolerance: share_of(at, "tolerance")?,
        within: share_of(at, "within")?,
        unit: at.find("unit").map(|unit| unit.words()).transpose()?,
        near: at.list_of("near", MOST_ITEMS)?.iter().map(near).collect::<Result<_, _>>()?,
    })
}

fn option(at: &At<'_>) -> Result<ChoiceOption, Fault> {
    at.only(&["text", "right", "say"])?;
    Ok(ChoiceOption {
        text: at.get("text")?.words()?,
        right: at.get("right")?.formula()?,
        say: at.get("say")?.words()?,
    })
}

fn order_item(at: &At<'_>) -> Result<OrderItem, Fault> {
    at.only(&["text", "key"])?;
    Ok(OrderItem { text: at.get("text")?.words()?, key: at.get("key")?.formula()? })
}

fn row_answer(at: &At<'_>) -> Result<RowAnswer, Fault> {
    at.only(&["kind", "is", "labels", "near"])?;
    let near = |at: &At<'_>| -> Result<(String, crate::words::Words), Fault> {
        at.only(&["is", "say"])?;
        Ok((at.get("is")?.name()?, at.get("say")?.words()?))
    };
    Ok(RowAnswer {
        is: at.get("is")?.name()?,
        labels: at.find("labels").map(|labels| labels.name()).transpose()?,
        near: at.list_of("near", MOST_ITEMS)?.iter().map(near).collect::<Result<_, _>>()?,
    })
}

fn kernel_answer(at: &At<'_>) -> Result<KernelAnswer, Fault> {
    at.only(&[
        "kind",
        "example",
        "text",
        "sizes",
        "gpu",
        "measure",
        "times",
        "unit",
        "at_most",
        "solved_example",
        "solved_text",
    ])?;
    let text = kernel_text(at, "example", "text")?.ok_or_else(|| at.fault("either `example` or `text`"))?;
    let sizes = |at: &At<'_>| -> Result<Vec<(String, String)>, Fault> {
        let entries = at.entries(MOST_ITEMS)?;
        entries.into_iter().map(|(name, value)| Ok((name.to_string(), value.text()?.to_string()))).collect()
    };
    let mut runs = at.list_of("sizes", 4)?.iter().map(sizes).collect::<Result<Vec<_>, _>>()?;
    if runs.is_empty() {
        runs.push(Vec::new());
    }
    let measure = at.get("measure")?;
    Ok(KernelAnswer {
        text,
        sizes: runs,
        gpu: at.get("gpu")?.text()?.into(),
        measure: measure.list(8)?.iter().map(|path| path.text().map(str::to_string)).collect::<Result<_, _>>()?,
        times: at.find("times").map_or(Ok(1.0), |times| times.number())?,
        unit: at.get("unit")?.words()?,
        at_most: at.get("at_most")?.formula()?,
        solved: kernel_text(at, "solved_example", "solved_text")?,
    })
}

/// The text of a kernel of the library, or a text in the file.
fn kernel_text(at: &At<'_>, example: &str, text: &str) -> Result<Option<String>, Fault> {
    match (at.find(example), at.find(text)) {
        (Some(id), None) => {
            let kernel = example_kernel(id.text()?).map_err(|_| id.fault("a kernel of the library"))?;
            Ok(Some(kernel.text.to_string()))
        }
        (None, Some(text)) => Ok(Some(text.text_up_to(MOST_KERNEL)?.to_string())),
        (None, None) => Ok(None),
        _ => Err(at.fault(format!("either `{example}` or `{text}`"))),
    }
}

fn locked_answer(at: &At<'_>) -> Result<LockedAnswer, Fault> {
    at.only(&["kind", "step", "salt", "hashes"])?;
    let hash = |at: &At<'_>| {
        let text = at.text()?;
        let hexadecimal = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        hexadecimal.then(|| text.to_ascii_lowercase()).ok_or_else(|| at.fault("a SHA-256 of 64 hexadecimal digits"))
    };
    let step = at.find("step").map(|step| step.number()).transpose()?;
    if step.is_some_and(|step| step <= 0.0) {
        return Err(at.fault("a positive `step`"));
    }
    let salt = at.get("salt")?;
    let hashes = at.get("hashes")?.list(64)?.iter().map(hash).collect::<Result<Vec<_>, _>>()?;
    if salt.text()?.len() < 8 || hashes.is_empty() {
        return Err(at.fault("a salt of at least 8 characters, and a hash"));
    }
    Ok(LockedAnswer { step, salt: salt.text()?.into(), hashes })
}
