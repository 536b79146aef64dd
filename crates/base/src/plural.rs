/// What `n` things add to the name of one: nothing if there is one, else `ending`. So a message says "1 launch" and "2 launches".
///
/// A literal names the ending `{s}` or `{es}`, by which the table of another language finds the whole text.
///
/// ```
/// let told = |n: u64| format!("{n} launch{es}", es = base::plural(n, "es"));
/// assert_eq!([told(0), told(1), told(2)], ["0 launches", "1 launch", "2 launches"]);
/// ```
#[must_use]
pub const fn plural(n: u64, ending: &str) -> &str {
    if n == 1 {
        ""
    } else {
        ending
    }
}
