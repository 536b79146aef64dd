//! `warpscope reference`: every command and option as Markdown, from what clap knows of them. `docs/cli.md` is what it prints.

use clap::{Arg, Command};
use std::fmt::Write as _;

/// The page of the documentation.
pub fn reference(command: &Command) -> String {
    let mut out = String::from(
        "# Commands\n\nThis page is printed by `warpscope reference`, so it lists every command but `reference`, with \
         its options. [At the terminal](terminal.md) says how they are used together.\n",
    );
    let of_all: Vec<&Arg> = command.get_arguments().filter(|arg| is_listed(arg)).collect();
    // Writing to a String cannot fail, so the results of `write!` are ignored.
    let _ = writeln!(out, "\n## Options of all commands\n\n{}", table(&of_all));
    add_commands(&mut out, "warpscope", command);
    out
}

/// Adds the commands of a command, and theirs.
fn add_commands(out: &mut String, above: &str, command: &Command) {
    for one in command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help") {
        let path = format!("{above} {}", one.get_name());
        let own: Vec<&Arg> = one.get_arguments().filter(|arg| is_listed(arg)).collect();
        let _ = writeln!(out, "\n## {path}\n\n{}\n", text_of(one.get_long_about().or(one.get_about())));
        if one.has_subcommands() {
            add_commands(out, &path, one);
            continue;
        }
        let _ = writeln!(out, "    {}\n", usage(&path, &own));
        if !own.is_empty() {
            let _ = writeln!(out, "{}", table(&own));
        }
    }
}

/// Help and version are in every program.
fn is_listed(arg: &Arg) -> bool {
    !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version")
}

fn usage(name: &str, arguments: &[&Arg]) -> String {
    let mut out = String::from(name);
    for arg in arguments.iter().filter(|arg| arg.is_positional()) {
        let many = if is_many(arg) { "…" } else { "" };
        let (open, close) = if arg.is_required_set() { ("", "") } else { ("[", "]") };
        let _ = write!(out, " {open}{}{many}{close}", value(arg));
    }
    if arguments.iter().any(|arg| !arg.is_positional()) {
        out.push_str(" [OPTIONS]");
    }
    out
}

fn is_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), clap::ArgAction::Append)
}

/// The name that stands for the value of an argument.
fn value(arg: &Arg) -> String {
    let names = arg.get_value_names().map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    names.unwrap_or_else(|| arg.get_id().as_str().to_uppercase())
}

fn name(arg: &Arg) -> String {
    if arg.is_positional() {
        return format!("`{}`", value(arg));
    }
    let forms = [arg.get_short().map(|short| format!("-{short}")), arg.get_long().map(|long| format!("--{long}"))];
    let forms: Vec<String> = forms.into_iter().flatten().collect();
    let takes = if arg.get_action().takes_values() { format!(" {}", value(arg)) } else { String::new() };
    format!("`{}{takes}`", forms.join("`, `"))
}

fn table(arguments: &[&Arg]) -> String {
    let mut out = String::from("| argument | meaning |\n| --- | --- |\n");
    for arg in arguments {
        let mut meaning = vec![text_of(arg.get_long_help().or(arg.get_help()))];
        let choices: Vec<String> = arg.get_possible_values().iter().map(|v| format!("`{}`", v.get_name())).collect();
        if !choices.is_empty() && arg.get_action().takes_values() {
            meaning.push(format!("One of {}.", choices.join(", ")));
        }
        let defaults: Vec<_> = arg.get_default_values().iter().map(|v| v.to_string_lossy()).collect();
        if !defaults.is_empty() && arg.get_action().takes_values() && !arg.is_hide_default_value_set() {
            meaning.push(format!("Without it: `{}`.", defaults.join(" ")));
        }
        let _ = writeln!(out, "| {} | {} |", name(arg).replace('|', "\\|"), meaning.join(" ").replace('|', "\\|"));
    }
    out.pop();
    out
}

fn text_of(text: Option<&clap::builder::StyledStr>) -> String {
    let text = text.map(ToString::to_string).unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // clap takes the last full stop of a summary away.
    if text.is_empty() || text.ends_with(['.', ':']) {
        text
    } else {
        text + "."
    }
}
