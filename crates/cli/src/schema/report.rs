//! The changes as lines, as JSON and as Markdown.

use std::io::{self, Write};

use serde_json::json;

use super::Format;
use super::diff::{Change, Verdict};

const VERDICTS: [Verdict; 4] =
    [Verdict::Breaking, Verdict::StateUpgrade, Verdict::Additive, Verdict::Informational];

impl Verdict {
    fn label(self) -> &'static str {
        match self {
            Verdict::Breaking => "breaking",
            Verdict::StateUpgrade => "state upgrade",
            Verdict::Additive => "additive",
            Verdict::Informational => "informational",
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Verdict::Breaking => "Breaking changes",
            Verdict::StateUpgrade => "State upgrades",
            Verdict::Additive => "Additions",
            Verdict::Informational => "Other changes",
        }
    }
}

/// Writes the changes, the most severe first.
pub(super) fn write(changes: &[Change], format: Format, out: &mut dyn Write) -> io::Result<()> {
    let mut sorted: Vec<&Change> = changes.iter().collect();
    // The sort is stable, so changes with the same verdict keep the order of the schema.
    sorted.sort_by_key(|it| it.verdict);
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &json!({"format_version": "1.0", "changes": sorted}))?;
            writeln!(out)
        }
        Format::Text => text(&sorted, out),
        Format::Markdown => markdown(&sorted, out),
    }
}

fn text(changes: &[&Change], out: &mut dyn Write) -> io::Result<()> {
    for change in changes {
        let path = if change.path.is_empty() { String::new() } else { format!(" {}", change.path) };
        writeln!(out, "{}: {}{path}: {}", change.verdict.label(), change.object, change.message)?;
    }
    writeln!(out, "{}", summary(changes))
}

fn markdown(changes: &[&Change], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## Schema changes\n\n{}", summary(changes))?;
    for verdict in VERDICTS {
        let mut group = changes.iter().filter(|it| it.verdict == verdict).peekable();
        if group.peek().is_none() {
            continue;
        }
        writeln!(out, "\n### {}\n\n| object | path | change |\n|---|---|---|", verdict.heading())?;
        for change in group {
            let path = if change.path.is_empty() { String::new() } else { format!("`{}`", change.path) };
            writeln!(out, "| {} | {path} | {} |", cell(&change.object), cell(&change.message))?;
        }
    }
    Ok(())
}

/// Escapes the characters that end a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn summary(changes: &[&Change]) -> String {
    if changes.is_empty() {
        return "No changes".to_owned();
    }
    let missing = changes.iter().filter(|it| it.is_upgrade_missing).count();
    let count = |verdict: Verdict| {
        let count = changes.iter().filter(|it| it.verdict == verdict).count();
        let missing = match missing {
            missing if missing > 0 && verdict == Verdict::StateUpgrade => format!(" ({missing} missing)"),
            _ => String::new(),
        };
        let plural = if verdict == Verdict::StateUpgrade && count != 1 { "s" } else { "" };
        format!("{count} {}{plural}{missing}", verdict.label())
    };
    VERDICTS.map(count).join(", ")
}
