//! Numbers, choices, orders and rows, which need no run.

use crate::answer::{locked, message, Given, Say};
use crate::exercise::{Answer, ChoiceAnswer, NumberAnswer, OrderItem, RowAnswer};
use crate::formula::Formula;
use crate::quantity::{number_text, Known};

/// A number within this share of the right one is called close.
const CLOSE: f64 = 0.1;
/// Factors between what people count: lanes, sectors, lines, bytes, bits.
const FACTORS: [f64; 9] = [2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 1024.0, 100.0];
/// How exact such a factor must be.
const FACTOR_FIT: f64 = 0.005;

pub fn check(answer: &Answer, known: &Known, given: &Given) -> (bool, Vec<Say>) {
    match (answer, given) {
        (Answer::Number(answer), Given::Text(text)) => number(answer, known, text),
        (Answer::Choice(answer), Given::Choice(chosen)) => choice(answer, known, chosen),
        (Answer::Order(items), Given::Order(order)) => order_of(items, known, order),
        (Answer::Row(row), Given::Row(cells)) => row_of(row, known, cells),
        (Answer::Locked(answer), Given::Text(text)) => locked::check(answer, text),
        _ => (false, vec![message("other_kind", &[])]),
    }
}

/// A number as people type it: `1,024`, `12.5 %`, `3 sectors`. A unit after it is not read.
pub fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim().replace('−', "-");
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.,eE_ ".contains(c))).unwrap_or(text.len());
    let plain: String = text[..end].chars().filter(|c| !", _".contains(*c)).collect();
    // The first letter of a unit may be an `e`.
    plain.trim_end_matches(['e', 'E']).parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a number is near enough to another one.
fn fits(number: f64, expected: f64, answer: &NumberAnswer) -> bool {
    let most = (answer.tolerance * libm::fabs(expected)).max(answer.within).max(1e-9 * libm::fabs(expected));
    libm::fabs(number - expected) <= most
}

fn number(answer: &NumberAnswer, known: &Known, text: &str) -> (bool, Vec<Say>) {
    let Some(number) = parse_number(text) else { return (false, vec![message("not_a_number", &[])]) };
    let Some(expected) = known.formula(&answer.is) else { return (false, vec![no_value(&answer.is)]) };
    if fits(number, expected, answer) {
        return (true, Vec::new());
    }
    let mut say = Vec::new();
    let near = answer.near.iter().find(|near| known.formula(&near.is).is_some_and(|wrong| fits(number, wrong, answer)));
    if let Some(near) = near {
        say.push(Say::Words(near.say.filled(&|place| known.text(place))));
    } else if let Some(factor) = factor_between(number, expected) {
        say.push(message("factor", &[("factor", number_text(factor))]));
    }
    let side = if number < expected { "too_small" } else { "too_large" };
    say.push(message(side, &[("number", number_text(number))]));
    if libm::fabs(number - expected) <= CLOSE * libm::fabs(expected) {
        say.push(message("close", &[]));
    }
    (false, say)
}

fn no_value(formula: &Formula) -> Say {
    message("no_value", &[("formula", formula.text().to_string())])
}

/// The factor by which a number is too large or too small, if it is one that comes from counting the wrong thing.
fn factor_between(number: f64, expected: f64) -> Option<f64> {
    if number == 0.0 || expected == 0.0 {
        return None;
    }
    let ratio = (number / expected).max(expected / number);
    FACTORS.into_iter().find(|factor| libm::fabs(ratio / factor - 1.0) < FACTOR_FIT)
}

fn choice(answer: &ChoiceAnswer, known: &Known, chosen: &[usize]) -> (bool, Vec<Say>) {
    if chosen.is_empty() || chosen.iter().any(|at| *at >= answer.options.len()) {
        return (false, vec![message("choose", &[])]);
    }
    let mut say = Vec::new();
    let mut missing = 0;
    for (at, option) in answer.options.iter().enumerate() {
        let Some(right) = known.formula(&option.right) else { return (false, vec![no_value(&option.right)]) };
        match (right != 0.0, chosen.contains(&at)) {
            (false, true) => say.push(Say::Words(option.say.filled(&|place| known.text(place)))),
            (true, false) => missing += 1,
            _ => {}
        }
    }
    // Where one option is asked for, any of the right ones is enough.
    let enough = missing == 0 || !answer.several && say.is_empty();
    if say.is_empty() && !enough {
        say.push(message("more_options", &[("count", missing.to_string())]));
    }
    (say.is_empty(), say)
}

fn order_of(items: &[OrderItem], known: &Known, order: &[usize]) -> (bool, Vec<Say>) {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if sorted != (0..items.len()).collect::<Vec<_>>() {
        return (false, vec![message("order_all", &[])]);
    }
    let keys: Option<Vec<f64>> = order.iter().map(|at| known.formula(&items[*at].key)).collect();
    let Some(keys) = keys else { return (false, vec![message("no_value", &[("formula", String::new())])]) };
    let ascending = |keys: &[f64]| keys.windows(2).all(|pair| pair[0] <= pair[1]);
    if ascending(&keys) {
        return (true, Vec::new());
    }
    let reversed: Vec<f64> = keys.iter().rev().copied().collect();
    if ascending(&reversed) {
        return (false, vec![message("order_reversed", &[])]);
    }
    let mut swapped = (0..keys.len()).flat_map(|a| (a + 1..keys.len()).map(move |b| (a, b)));
    let one = swapped.find(|(a, b)| {
        let mut keys = keys.clone();
        keys.swap(*a, *b);
        ascending(&keys)
    });
    let say = match one {
        Some((a, b)) => message("order_swap", &[("first", (a + 1).to_string()), ("second", (b + 1).to_string())]),
        None => {
            let wrong = keys.windows(2).filter(|pair| pair[0] > pair[1]).count();
            message("order_wrong", &[("pairs", wrong.to_string())])
        }
    };
    (false, vec![say])
}

/// A cell as it is compared: `inf` is ∞, and numbers have one form.
fn cell(text: &str) -> String {
    let text = text.trim().to_lowercase();
    match text.as_str() {
        "inf" | "infinity" | "infinite" | "oo" | "∞" | "无穷" => "∞".into(),
        "−" | "–" | "" => "-".into(),
        _ => parse_number(&text).filter(|_| !text.ends_with(char::is_alphabetic)).map_or(text, number_text),
    }
}

fn row_of(row: &RowAnswer, known: &Known, cells: &[String]) -> (bool, Vec<Say>) {
    let expected = known.list(&row.is);
    if cells.len() != expected.len() {
        let count = expected.len().to_string();
        return (false, vec![message("cells", &[("expected", count), ("found", cells.len().to_string())])]);
    }
    let same = |list: &[String]| list.iter().zip(cells).all(|(is, given)| cell(is) == cell(given));
    if same(expected) {
        return (true, Vec::new());
    }
    let mut say = Vec::new();
    if let Some((_, words)) = row.near.iter().find(|(name, _)| same(known.list(name))) {
        say.push(Say::Words(words.filled(&|place| known.text(place))));
    }
    let wrong: Vec<usize> = (0..cells.len()).filter(|at| cell(&expected[*at]) != cell(&cells[*at])).collect();
    let first = wrong.first().map_or(0, |at| at + 1).to_string();
    say.push(message("cell_wrong", &[("cell", first), ("count", wrong.len().to_string())]));
    (false, say)
}

#[cfg(test)]
mod tests {
    use super::{cell, parse_number};

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("1,024", Some(1024.0)),
            (" 12.5 % ", Some(12.5)),
            ("3 sectors", Some(3.0)),
            ("5 elements", Some(5.0)),
            ("−2", Some(-2.0)),
            ("1e3", Some(1000.0)),
            ("many", None),
            ("", None),
            ("1e999", None),
        ] {
            assert_eq!(parse_number(text), number, "{text}");
        }
        assert_eq!(
            (cell("INF"), cell(" 2.0 "), cell("hit"), cell("")),
            ("∞".into(), "2".into(), "hit".into(), "-".into())
        );
    }
}
