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

/// A number as people type it: `1,024`, `12,5`, `12.5 %`, `33 ÷ 5 = 6.6`, `2^10`, `0x80`, `3 sectors`. A unit after it is not read, but a
/// text with a further number (`16384 or 8192`) is no answer.
pub fn parse_number(text: &str) -> Option<f64> {
    let text: String = text.chars().map(plain_char).collect();
    let (mut number, mut rest) = power(text.trim_start_matches([' ', '=', '~', '≈']))?;
    while let Some(operator) = rest.trim_start().chars().next().filter(|c| "*x/:".contains(*c)) {
        // Without a number behind it, it belongs to the unit: `sectors / load`.
        let Some((factor, after)) = power(&rest.trim_start()[1..]) else { break };
        number = if "*x".contains(operator) { number * factor } else { number / factor };
        rest = after;
    }
    if rest.trim_start().starts_with(['=', '≈']) {
        return parse_number(rest);
    }
    // Digits inside a word belong to a unit, as in `L1`.
    let mut words = rest.split(|c: char| !c.is_alphanumeric());
    let more = words.any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    // There is one zero, also for `-0`.
    Some(number + 0.0).filter(|number| number.is_finite() && !more)
}

/// A character as the ASCII that it stands for.
fn plain_char(c: char) -> char {
    match c {
        '−' => '-',
        '×' | '·' => '*',
        '÷' => '/',
        '’' => '\'',
        // Those of Chinese text.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ if c.is_whitespace() => ' ',
        _ => c,
    }
}

/// The number at the start of a text, or a power such as `2^10`, and the text after it.
fn power(text: &str) -> Option<(f64, &str)> {
    let (base, rest) = decimal(text)?;
    let after = rest.trim_start();
    let exponent = after.strip_prefix("**").or_else(|| after.strip_prefix('^')).and_then(decimal);
    Some(exponent.map_or((base, rest), |(exponent, rest)| (libm::pow(base, exponent), rest)))
}

/// A number such as `0x10` or `0b101` at the start of a text, and the text after it. Without this, `0x10` would be 0 times 10.
fn prefixed(text: &str) -> Option<(f64, &str)> {
    let (sign, digits) =
        (if text.starts_with('-') { -1.0 } else { 1.0 }, text.strip_prefix(['+', '-']).unwrap_or(text));
    let radix = match digits.get(..2)? {
        "0x" | "0X" => 16,
        "0b" | "0B" => 2,
        _ => return None,
    };
    let digits = &digits[2..];
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let value = |sum: f64, digit: u32| sum * f64::from(radix) + f64::from(digit);
    let number = digits[..end].chars().filter_map(|c| c.to_digit(radix)).fold(0.0, value);
    (end > 0).then_some((sign * number, &digits[end..]))
}

/// The number at the start of a text, and the text after it. A comma, space, apostrophe or `_` before three digits groups them.
/// Any other comma is a decimal one.
fn decimal(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    if let Some(read) = prefixed(text) {
        return Some(read);
    }
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let (mut plain, mut at, mut point, mut grouped) = (String::new(), 0, false, false);
    while let Some(c) = text[at..].chars().next() {
        let whole = plain.trim_start_matches(['+', '-']);
        let groups = !point && (grouped || (1..=3).contains(&whole.len()) && !whole.starts_with('0'));
        match c {
            '+' | '-' if at == 0 => plain.push(c),
            '0'..='9' => plain.push(c),
            ',' | ' ' | '\'' | '_' if groups && (1..=3).all(|k| digit(at + k)) && !digit(at + 4) => grouped = true,
            '.' | ',' if !point && (c == '.' || !grouped && digit(at + 1)) => {
                plain.push('.');
                point = true;
            }
            'e' | 'E' if digit(at + 1) || text[at + 1..].starts_with(['+', '-']) && digit(at + 2) => {
                plain.push_str(&text[at..at + 2]);
                at += 1;
                point = true;
            }
            _ => break,
        }
        at += c.len_utf8();
    }
    Some((plain.parse().ok()?, &text[at..]))
}

/// Whether a number is near enough to another one.
fn fits(number: f64, expected: f64, answer: &NumberAnswer) -> bool {
    let most = (answer.tolerance * libm::fabs(expected)).max(answer.within).max(1e-9 * libm::fabs(expected));
    libm::fabs(number - expected) <= most
}

fn number(answer: &NumberAnswer, known: &Known, text: &str) -> (bool, Vec<Say>) {
    let Some(number) = parse_number(text) else { return (false, vec![no_number(text)]) };
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

/// What to say of a text that is no number.
pub fn no_number(text: &str) -> Say {
    message(if text.trim().is_empty() { "empty" } else { "not_a_number" }, &[])
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
    use super::{cell, number_text, parse_number};

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("1,024", Some(1024.0)),
            (" 12.5 % ", Some(12.5)),
            ("3 sectors", Some(3.0)),
            ("5 elements", Some(5.0)),
            ("−2", Some(-2.0)),
            ("1e3", Some(1000.0)),
            ("6.6 times", Some(6.6)),
            ("12,5", Some(12.5)),
            ("0,125", Some(0.125)),
            ("16,384.5", Some(16384.5)),
            ("16 384 bytes", Some(16384.0)),
            ("16\u{202f}384", Some(16384.0)),
            ("16'384", Some(16384.0)),
            ("1,0245", Some(1.0245)),
            ("33/5", Some(6.6)),
            ("33 ÷ 5 times", Some(6.6)),
            ("33:5", Some(6.6)),
            ("16384/2", Some(8192.0)),
            ("16 x 1024", Some(16384.0)),
            ("1.6384 × 10^4", Some(16384.0)),
            ("2**14 bytes", Some(16384.0)),
            ("4 sectors / load", Some(4.0)),
            ("6.6x", Some(6.6)),
            ("≈ 28", Some(28.0)),
            ("１２．５％", Some(12.5)),
            ("１，０２４ 字节", Some(1024.0)),
            ("28.", Some(28.0)),
            ("0x10", Some(16.0)),
            ("0X1f bytes", Some(31.0)),
            ("-0x10", Some(-16.0)),
            ("+0x10", Some(16.0)),
            ("０ｘ１０", Some(16.0)),
            ("0x10 = 16", Some(16.0)),
            ("2*0x10", Some(32.0)),
            ("0b101", Some(5.0)),
            ("0 x 10", Some(0.0)),
            ("0x", Some(0.0)),
            ("0 bytes", Some(0.0)),
            ("0bytes", Some(0.0)),
            ("1_000", Some(1000.0)),
            ("1_0000", None),
            ("0x1_0000", None),
            ("0x10 or 0x20", None),
            ("50%", Some(50.0)),
            (" 16 ", Some(16.0)),
            ("1/0", None),
            ("1,2,3", None),
            ("6 3/5", None),
            ("28, 29", None),
            ("16384 or 8192", None),
            ("6.6 times (33/5)", None),
            ("4 L1 hits", Some(4.0)),
            ("33/5 = 6.6 times", Some(6.6)),
            ("2^14=", None),
            ("16384-8192", None),
            ("1.024,5", None),
            ("e5", None),
            ("1e", Some(1.0)),
            ("many", None),
            ("", None),
            ("1e999", None),
        ] {
            assert_eq!(parse_number(text), number, "{text}");
        }
        assert_eq!(parse_number("-0").map(number_text), Some("0".into()));
        assert_eq!(
            (cell("INF"), cell(" 2.0 "), cell("hit"), cell("")),
            ("∞".into(), "2".into(), "hit".into(), "-".into())
        );
    }
}
