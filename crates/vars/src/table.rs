//! Tables of inputs in Markdown, as `terraform-docs markdown table` writes them: `-table`.
//!
//! | column | content |
//! | --- | --- |
//! | Name | the name with an anchor |
//! | Description | the `description`, otherwise the comment directly above the block |
//! | Type | the `type` as configured, otherwise the type inferred from the default |
//! | Default | the default as JSON |
//! | Required | `yes` if the variable has no default |
//!
//! If a variable is sensitive or ephemeral, the default is `(sensitive value)`, and the type is printed without the
//! defaults of optional attributes.
//!
//! The variables are sorted by name. A variable below a comment that contains `terraform-docs-ignore` is omitted. Values
//! with several lines are in a `<pre>` element with `<br/>` for each line break. Two details differ from terraform-docs:
//! vertical bars are escaped in code as well, because GitHub would split the cell there, and every underscore in a
//! description is escaped, except in code and in URLs.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ferroform_value::{Typed, Value};

use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::evaluation::{LoadedSources, with_valid_module};
use crate::module::Module;
use crate::report::Report;
use crate::request::Request;
use crate::source::Source;

const BEGIN: &str = "<!-- BEGIN_TF_DOCS -->";
const END: &str = "<!-- END_TF_DOCS -->";

/// The heading of the section with the table.
const HEADING: &str = "## Inputs";

/// The comment that omits a variable.
const IGNORE: &str = "terraform-docs-ignore";

/// The destination of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Stdout,
    /// The file is updated.
    File(PathBuf),
    /// The file is compared with the table.
    Check(PathBuf),
}

/// Creates the table. Returns the diagnostics, and the text for standard output.
pub(crate) fn run(request: &Request, destination: &Destination) -> (Report, String) {
    let (mut report, table) = with_valid_module(LoadedSources::load_module(request), |evaluation| {
        render(evaluation.sources, evaluation.module)
    });
    let Some(table) = table else { return (report, String::new()) };
    let (file, is_check) = match destination {
        Destination::Stdout => return (report, format!("{table}\n")),
        Destination::File(file) => (file, false),
        Destination::Check(file) => (file, true),
    };
    if let Err(error) = update(request, file, &table, is_check, &mut report) {
        report.diagnostics.insert(0, error);
    }
    (report, String::new())
}

/// Replaces the table in a file of the module's directory, or checks that it is up to date.
fn update(
    request: &Request,
    file: &Path,
    table: &str,
    is_check: bool,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    let in_directory = request.directory.join(file);
    let (path, name) = (request.resolve(&in_directory), request.describe(&in_directory));
    let content = match fs::read_to_string(&path) {
        Ok(content) => content,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let detail = format!("The file {name} cannot be read: {error}.");
            return Err(Diagnostic::new("Failed to read file", detail, None));
        }
    };
    let Some(updated) = replace_table(&content, table) else {
        let detail =
            format!("The file {name} must contain both {BEGIN} and {END}, in this order, or neither.");
        return Err(Diagnostic::new("Invalid table markers", detail, None));
    };
    if updated == content {
        return Ok(());
    }
    if is_check {
        let detail = format!("The table of inputs in {name} does not match the variables of the module.");
        let help = format!("to update it, run ferroform-vars with -table={}", file.display());
        let begin = content.find(BEGIN).map_or(0..0, |it| it..it + BEGIN.len());
        let location = path.exists().then(|| report.add_source(Source::new(name, content), begin));
        return Err(Diagnostic::new("Outdated table of inputs", detail, location).with_help(Some(help)));
    }
    fs::write(&path, updated).map_err(|error| {
        let detail = format!("The file {name} cannot be written: {error}.");
        Diagnostic::new("Failed to write file", detail, None)
    })
}

/// Returns the content of a file with the table between the markers, or at the end if there are no markers. Returns
/// `None` if only one marker is present, or if the end marker precedes the begin marker.
fn replace_table(content: &str, table: &str) -> Option<String> {
    let block = |sections: &str| {
        let block = format!("{BEGIN}\n{sections}\n{END}");
        if content.contains("\r\n") { block.replace('\n', "\r\n") } else { block }
    };
    match (content.find(BEGIN), content.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            let sections = content[begin + BEGIN.len()..end].replace("\r\n", "\n");
            let block = block(&replace_section(&sections, table));
            Some(format!("{}{block}{}", &content[..begin], &content[end + END.len()..]))
        }
        (None, None) if content.is_empty() => Some(format!("{}\n", block(table))),
        (None, None) => Some(format!("{}\n\n{}\n", content.trim_end(), block(table))),
        _ => None,
    }
}

/// Returns sections in Markdown with the table instead of the section `## Inputs`, or at the end if there is none.
/// terraform-docs writes other sections between the same markers.
fn replace_section(sections: &str, table: &str) -> String {
    let (mut before, mut after) = (String::new(), String::new());
    let mut is_replaced = false;
    let mut rest = sections.split_inclusive('\n').peekable();
    while let Some(line) = rest.next() {
        if !is_replaced && line.trim_end() == HEADING {
            is_replaced = true;
            while rest.next_if(|it| !it.starts_with("## ") && !it.starts_with("# ")).is_some() {}
        } else if is_replaced {
            after.push_str(line);
        } else {
            before.push_str(line);
        }
    }
    let parts = [before.trim(), table, after.trim()].into_iter().filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join("\n\n")
}

/// Returns the table with its heading, without a line break at the end.
fn render(sources: &[Source], module: &Module<'_>) -> String {
    let mut rows = String::new();
    for declaration in module.variables.values() {
        let comment = declaration.comment(sources);
        if !comment.contains(IGNORE) {
            rows.push_str(&render_row(declaration, &comment, sources));
        }
    }
    if rows.is_empty() {
        return format!("{HEADING}\n\nNo inputs.");
    }
    format!(
        "{HEADING}\n\n| Name | Description | Type | Default | Required |\n\
         | ---- | ----------- | ---- | ------- | :------: |{rows}"
    )
}

/// Returns a row after a line break.
fn render_row(declaration: &Declaration<'_>, comment: &str, sources: &[Source]) -> String {
    let name = &declaration.name;
    let link = name.replace('_', "\\_");
    let described = declaration.description.as_deref().filter(|it| !it.is_empty());
    let description = match described.unwrap_or(comment) {
        "" => "n/a".to_owned(),
        text => format_prose(text),
    };
    let default = declaration.configured_default(sources);
    let ty = match (&declaration.variable, declaration.type_text(sources)) {
        // The source contains the defaults of optional attributes.
        (Some(variable), Some(_)) if declaration.is_secret => variable.constraint.ty.to_string(),
        (_, text) => text.unwrap_or_else(|| infer_type(default.as_ref()).to_owned()),
    };
    let ty = format_code(&ty);
    let required = if default.is_none() { "yes" } else { "no" };
    let default = match &default {
        None => "n/a".to_owned(),
        Some(_) if declaration.is_secret => format_code("(sensitive value)"),
        Some(default) => {
            let mut text = String::new();
            write_json(&mut text, &default.value, "\n");
            format_code(&text)
        }
    };
    format!(
        "\n| <a name=\"input_{name}\"></a> [{link}](#input\\_{link}) | {description} | {ty} | {default} | {required} |"
    )
}

/// Returns the type of a variable without a `type` argument.
fn infer_type(default: Option<&Typed>) -> &'static str {
    match default.map(|it| &it.value) {
        Some(Value::String(_)) => "string",
        Some(Value::Number(_)) => "number",
        Some(Value::Bool(_)) => "bool",
        Some(Value::Tuple(_)) => "list",
        Some(Value::Object(_)) => "map",
        _ => "any",
    }
}

/// Writes a value as JSON with indentation. `line_break` is a line break with the indentation of the value.
fn write_json(out: &mut String, value: &Value, line_break: &str) {
    let inner = format!("{line_break}  ");
    match value {
        Value::Bool(it) => drop(write!(out, "{it}")),
        Value::Number(it) => drop(write!(out, "{it}")),
        Value::String(it) => out.push_str(&quote_json(it)),
        Value::Tuple(elements) if elements.is_empty() => out.push_str("[]"),
        Value::Tuple(elements) => {
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "[" });
                out.push_str(&inner);
                write_json(out, element, &inner);
            }
            let _ = write!(out, "{line_break}]");
        }
        Value::Object(attributes) if attributes.is_empty() => out.push_str("{}"),
        Value::Object(attributes) => {
            for (i, (name, attribute)) in attributes.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "{" });
                out.push_str(&inner);
                let _ = write!(out, "{}: ", quote_json(name));
                write_json(out, attribute, &inner);
            }
            let _ = write!(out, "{line_break}}}");
        }
        // A constant expression has no other values.
        _ => out.push_str("null"),
    }
}

/// Returns a string as JSON.
fn quote_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the cell of a type or a default.
fn format_code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    match text.contains('\n') {
        true => format!("<pre>{}</pre>", text.replace('\n', "<br/>")),
        false if text.contains('`') => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

/// Returns the cell of a description in Markdown. Code blocks start and end with "```".
fn format_prose(text: &str) -> String {
    let mut out = String::new();
    for (i, segment) in text.split("```").enumerate() {
        let lines = segment.trim().lines().map(str::trim_end);
        if segment.trim().is_empty() {
            continue;
        }
        if i % 2 == 1 {
            let code = lines.collect::<Vec<_>>().join("<br/>");
            let _ = write!(out, "<pre>{}</pre>", code.replace('|', "\\|"));
        } else {
            out.push_str(&lines.map(escape_line).collect::<Vec<_>>().join("<br/>"));
        }
    }
    out
}

/// Escapes a line of a description, except for underscores in code and in URLs.
fn escape_line(line: &str) -> String {
    let mut out = String::new();
    for (i, part) in line.split('`').enumerate() {
        out.push_str(if i > 0 { "`" } else { "" });
        for word in part.split_inclusive(' ') {
            let is_literal = i % 2 == 1 || word.contains("://");
            out.push_str(&if is_literal { word.to_owned() } else { word.replace('_', "\\_") });
        }
    }
    out.replace('|', "\\|")
}
