//! Numbers of things in words, for what the commands print.

/// Such as "1 access" and "2 accesses".
pub(super) fn counted(n: u64, one: &str) -> String {
    format!("{n} {one}{}", base::plural(n, if one.ends_with("ss") { "es" } else { "s" }))
}
