//! Arithmetic of exercise files: formulas over parameters and values.
//!
//! In: text such as `32 * sectors / requests` or `if(a < b, 1, 0)`. Out: a number, or `None` where a name has no number or the
//! result is not finite. A comparison gives 1 or 0. The operators are `+ - * / %`, `< <= > >= == !=`, `&& ||`; the functions are
//! `min`, `max`, `floor`, `ceil`, `round`, `abs`, `sqrt`, `log2` and `if`.

/// The longest formula, in characters. Together with [`DEPTH`] it bounds the work of reading and computing one.
const LONGEST: usize = 400;
/// The deepest nesting.
const DEPTH: usize = 32;

/// A formula that was read.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    root: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Number(f64),
    Name(String),
    Negative(Box<Node>),
    Binary(&'static str, Box<[Node; 2]>),
    Call(Function, Vec<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Min,
    Max,
    Floor,
    Ceil,
    Round,
    Abs,
    Sqrt,
    Log2,
    If,
}

const FUNCTIONS: [(&str, Function, usize); 9] = [
    ("min", Function::Min, 2),
    ("max", Function::Max, 2),
    ("floor", Function::Floor, 1),
    ("ceil", Function::Ceil, 1),
    ("round", Function::Round, 1),
    ("abs", Function::Abs, 1),
    ("sqrt", Function::Sqrt, 1),
    ("log2", Function::Log2, 1),
    ("if", Function::If, 3),
];

/// The operators by how strongly they bind, the weakest first. A longer one stands before its own beginning.
const LEVELS: [&[&str]; 5] = [&["||"], &["&&"], &["<=", ">=", "==", "!=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

impl Formula {
    /// Reads a formula. The error says what was expected, and where.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.chars().count() > LONGEST {
            return Err(format!("a formula of at most {LONGEST} characters"));
        }
        let mut reader = Reader { rest: text };
        let root = reader.binary(0, DEPTH)?;
        reader.skip();
        if reader.rest.is_empty() {
            Ok(Self { text: text.into(), root })
        } else {
            Err(format!("an operator before `{}`", base::excerpt(reader.rest.as_bytes())))
        }
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names in the formula.
    pub fn names(&self) -> Vec<&str> {
        let mut out = Vec::new();
        collect(&self.root, &mut out);
        out
    }

    /// The number of the formula, with numbers for its names.
    pub fn number(&self, name: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        value(&self.root, name).filter(|number| number.is_finite())
    }
}

fn collect<'n>(node: &'n Node, out: &mut Vec<&'n str>) {
    match node {
        Node::Number(_) => {}
        Node::Name(name) => out.push(name),
        Node::Negative(inner) => collect(inner, out),
        Node::Binary(_, sides) => sides.iter().for_each(|side| collect(side, out)),
        Node::Call(_, arguments) => arguments.iter().for_each(|argument| collect(argument, out)),
    }
}

fn value(node: &Node, name: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
    Some(match node {
        Node::Number(number) => *number,
        Node::Name(known) => name(known)?,
        Node::Negative(inner) => -value(inner, name)?,
        Node::Binary(operator, sides) => binary(operator, value(&sides[0], name)?, value(&sides[1], name)?),
        Node::Call(Function::If, arguments) => {
            let chosen = if value(&arguments[0], name)? != 0.0 { 1 } else { 2 };
            value(&arguments[chosen], name)?
        }
        Node::Call(function, arguments) => {
            let first = value(&arguments[0], name)?;
            match function {
                Function::Min => first.min(value(&arguments[1], name)?),
                Function::Max => first.max(value(&arguments[1], name)?),
                Function::Floor => libm::floor(first),
                Function::Ceil => libm::ceil(first),
                Function::Round => libm::round(first),
                Function::Abs => libm::fabs(first),
                Function::Sqrt => libm::sqrt(first),
                Function::Log2 | Function::If => libm::log2(first),
            }
        }
    })
}

fn binary(operator: &str, a: f64, b: f64) -> f64 {
    let yes = |holds: bool| f64::from(u8::from(holds));
    match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "%" => libm::fmod(a, b),
        "<" => yes(a < b),
        "<=" => yes(a <= b),
        ">" => yes(a > b),
        ">=" => yes(a >= b),
        "==" => yes(a == b),
        "!=" => yes(a != b),
        "&&" => yes(a != 0.0 && b != 0.0),
        _ => yes(a != 0.0 || b != 0.0),
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn takes(&mut self, token: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Operators of this level and all that bind more strongly.
    fn binary(&mut self, level: usize, depth: usize) -> Result<Node, String> {
        let Some(operators) = LEVELS.get(level) else { return self.operand(depth) };
        let mut left = self.binary(level + 1, depth)?;
        while let Some(operator) = operators.iter().find(|operator| self.takes(operator)) {
            let right = self.binary(level + 1, depth)?;
            left = Node::Binary(operator, Box::new([left, right]));
        }
        Ok(left)
    }

    fn operand(&mut self, depth: usize) -> Result<Node, String> {
        let depth = depth.checked_sub(1).ok_or("less nesting")?;
        if self.takes("-") {
            return Ok(Node::Negative(Box::new(self.operand(depth)?)));
        }
        if self.takes("(") {
            let inner = self.binary(0, depth)?;
            return if self.takes(")") { Ok(inner) } else { Err("a closing bracket".into()) };
        }
        let word = self.word();
        if word.is_empty() {
            return Err(format!("a number, a name or a bracket before {}", base::excerpt(self.rest.as_bytes())));
        }
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return word.parse().map(Node::Number).map_err(|_| format!("a number in place of `{word}`"));
        }
        if !self.takes("(") {
            return Ok(Node::Name(word.into()));
        }
        let known = FUNCTIONS.iter().find(|(name, ..)| *name == word);
        let (name, function, count) = known.ok_or_else(|| {
            format!("a function such as {} in place of `{word}`", FUNCTIONS.map(|(name, ..)| name).join(", "))
        })?;
        let mut arguments = vec![self.binary(0, depth)?];
        while arguments.len() < *count && self.takes(",") {
            arguments.push(self.binary(0, depth)?);
        }
        if arguments.len() == *count && self.takes(")") {
            Ok(Node::Call(*function, arguments))
        } else {
            Err(format!(
                "{count} argument{s} and a closing bracket after `{name}`",
                s = base::plural(*count as u64, "s")
            ))
        }
    }

    /// A name or a number.
    fn word(&mut self) -> &'t str {
        self.skip();
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::Formula;

    fn number(text: &str) -> Option<f64> {
        let formula = Formula::read(text).expect("a formula");
        formula.number(&|name| [("a", 6.0), ("b", 4.0)].into_iter().find(|(known, _)| *known == name).map(|(_, n)| n))
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("10 - 3 - 2", 5.0),
            ("-a / -b", 1.5),
            ("a % b == 2 && b < a", 1.0),
            ("a < b || a <= 6", 1.0),
            ("min(a, b) + max(a, b) + if(a != b, 100, 1 / 0)", 110.0),
            ("floor(a / b) + ceil(a / b) + round(2.4) + log2(8) + sqrt(16) + abs(0 - 1)", 13.0),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        assert_eq!((number("a / 0"), number("c + 1")), (None, None));
    }

    #[test]
    fn bad_formulas_say_what_was_expected() {
        for (text, part) in [
            ("", "a number, a name"),
            ("1 +", "a number, a name"),
            ("(1", "closing bracket"),
            ("min(1)", "2 arguments"),
            ("exp(1)", "a function such as min"),
            ("1 2", "an operator"),
            ("1.2.3", "a number in place"),
        ] {
            let error = Formula::read(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(Formula::read(&"(".repeat(300)).is_err());
        assert!(Formula::read(&"-".repeat(300)).is_err());
        assert!(Formula::read(&"1+".repeat(9999)).is_err());
    }
}
