//! Names of kernels as people read them. Traces have them as compilers write them.
//!
//! A full demangler would take several times the room of a trace format in the page's module, and say parameters that nobody
//! asked for. The page has the same rules in `www/content/format.ts`, because its first screen has no engine. Both
//! are held by `tests/data/kernel-names.tsv`.

/// The name of a kernel without return type and parameters: those of C++ are long, and differ in the middle. A name that a
/// C++ compiler has mangled (Itanium C++ ABI, 5.1) loses its template arguments too: `_Z4axpyILi4EEvPf` is `axpy<…>`.
pub fn short_name(name: &str) -> String {
    if let Some(mangled) = name.strip_prefix("_Z") {
        return demangled(mangled).unwrap_or_else(|| name.into());
    }
    let name = match parameters_start(name) {
        Some(open) if open > 0 => &name[..open],
        _ => name,
    };
    name.strip_prefix("void ").unwrap_or(name).into()
}

/// The names of a nested name, or the one name of another.
fn demangled(mangled: &str) -> Option<String> {
    let nested = mangled.strip_prefix('N').map(|rest| rest.trim_start_matches(['V', 'K', 'r', 'R', 'O']));
    let (mut rest, mut parts) = (nested.unwrap_or(mangled), Vec::new());
    while nested.is_some() || parts.is_empty() {
        // An `L` marks a name with internal linkage.
        let digits = rest.strip_prefix('L').unwrap_or(rest);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let Ok(length) = digits[..end].parse::<usize>() else { break };
        let Some(part) = digits[end..].get(..length) else { break };
        parts.push(if part.starts_with("_GLOBAL__N_") { "(anonymous)" } else { part });
        rest = &digits[end + length..];
    }
    let arguments = if rest.starts_with('I') { "<…>" } else { "" };
    (!parts.is_empty()).then(|| format!("{}{arguments}", parts.join("::")))
}

/// Where the parenthesis opens that the name's last one closes.
fn parameters_start(name: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in name.char_indices().rev() {
        match character {
            ')' => depth += 1,
            '(' => depth -= 1,
            // A name that does not end with a parenthesis has no parameters.
            _ if depth == 0 => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_page() {
        let cases = include_str!("../../../tests/data/kernel-names.tsv");
        let cases: Vec<_> = cases.lines().filter_map(|line| line.split_once('\t')).collect();
        assert!(cases.len() > 10);
        for (name, short) in cases {
            assert_eq!(short_name(name), short, "{name}");
        }
    }

    #[test]
    fn no_name_is_too_odd() {
        for name in ["", "()", ")", "(", "_ZN", "_ZNK", "_Z0", "_Z18446744073709551616a", "_Z3é", "é(é)", "_ZN3ab"] {
            let _ = short_name(name);
        }
    }
}
