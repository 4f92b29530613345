//! Prints a diff as Terraform does.
//!
//! A line consists of the indentation, a symbol and the content: `      + name = "a"` for an attribute that is created. Attributes,
//! elements and blocks that do not change are counted instead of printed.

use ferroform_engine::value::write_quoted;
use ferroform_lang::is_identifier;

use super::alignment::match_by_order;
use super::change::{Action, ValueChange};
use super::diff::{self, BlockDiff, Body, Diff, MapStyle};
use crate::workspace::Json;

/// The options for printing a value, which depend on the enclosing values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    /// True if ` -> null` is not printed after a value that is deleted.
    hides_null: bool,
    /// True if unchanged attributes, elements and blocks are printed.
    shows_unchanged: bool,
}

pub(super) const SHOWS_UNCHANGED: Options = Options { hides_null: false, shows_unchanged: true };

impl Options {
    fn hide_null(self, hides_null: bool) -> Options {
        Options { hides_null, ..self }
    }

    fn is_hidden(self, diff: &Diff) -> bool {
        diff.action == Action::NoOp && !self.shows_unchanged
    }
}

/// Prints a value. The first line is not indented, because it follows the name of an attribute, for example.
pub(super) fn value(diff: &Diff, indent: usize, options: Options) -> String {
    let forces = if diff.requires_replace { " # forces replacement" } else { "" };
    let null = if diff.action == Action::Delete && !options.hides_null { " -> null" } else { "" };
    match &diff.body {
        Body::Scalar { before, after } => {
            scalar(diff.action, before.as_ref(), after.as_ref(), indent, null, forces)
        }
        Body::Unknown(None) => format!("(known after apply){forces}"),
        Body::Unknown(Some(before)) => {
            format!("{} -> (known after apply){forces}", value(before, indent, options.hide_null(true)))
        }
        Body::Sensitive { .. } => format!("(sensitive value){null}{forces}"),
        Body::TypeChange(before, after) => {
            let (old, new) = (value(before, indent, options.hide_null(true)), value(after, indent, options));
            format!("{old} -> {new}{forces}")
        }
        Body::List { elements, .. } if elements.is_empty() => format!("[]{null}{forces}"),
        Body::List { elements, shows_context } => {
            let elements = list(elements, *shows_context, indent, options);
            format!("[{forces}\n{elements}{}]{null}", start(indent, Action::NoOp))
        }
        Body::Map { entries: parts, .. } | Body::Object { attributes: parts, .. } if parts.is_empty() => {
            format!("{{}}{null}{forces}")
        }
        Body::Map { entries, style } => {
            let hides_null = diff.action == Action::Delete || *style == MapStyle::NestedObjects;
            let names = if *style == MapStyle::Values { &KEYS } else { &KEYS_OF_OBJECTS };
            let entries = print_attributes(entries, indent, options.hide_null(hides_null), names);
            format!("{{{forces}\n{}{}}}{null}", entries.text("element"), start(indent, Action::NoOp))
        }
        Body::Object { attributes, is_nested } => {
            let attributes =
                print_attributes(attributes, indent, options.hide_null(!is_nested), &ATTRIBUTE_NAMES);
            format!("{{{forces}\n{}{}}}{null}", attributes.text("attribute"), start(indent, Action::NoOp))
        }
        Body::Block { attributes, blocks } => {
            let content = block(attributes, blocks, indent, options);
            format!("{{{forces}\n{content}{}}}", start(indent, Action::NoOp))
        }
    }
}

/// Prints values with names, such as outputs, one in each line.
pub(super) fn values(parts: &[(String, Diff)]) -> String {
    let lines = print_attributes(parts, 0, Options::default(), &ATTRIBUTE_NAMES).lines;
    // Outputs have no enclosing block.
    lines.lines().map(|line| format!("{}\n", line.get(4..).unwrap_or_default())).collect()
}

/// The beginning of a line: the indentation and the symbol.
pub(super) fn start(indent: usize, action: Action) -> String {
    let symbol = match action {
        Action::NoOp => ' ',
        Action::Create => '+',
        Action::Update => '~',
        Action::Delete => '-',
    };
    format!("{:width$}{symbol} ", "", width = 4 * indent + 2)
}

/// The line about hidden attributes, elements or blocks; empty if there are none.
fn hidden(count: usize, noun: &str, indent: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    match count {
        0 => String::new(),
        _ => format!("{}# ({count} unchanged {noun}{plural} hidden)\n", start(indent, Action::NoOp)),
    }
}

/// The lines of attributes or map elements, and the number of hidden ones.
struct PrintedAttributes {
    lines: String,
    hidden: usize,
    indent: usize,
}

impl PrintedAttributes {
    fn text(self, noun: &str) -> String {
        self.lines + &hidden(self.hidden, noun, self.indent)
    }
}

/// The style of the names of attributes, or of the keys of a map.
struct NameStyle {
    print: fn(&str) -> String,
    /// True if attributes by which practitioners recognize the object are always printed.
    shows_important: bool,
    /// Entries that are objects end with a comma, and are not aligned.
    are_objects: bool,
}

const ATTRIBUTE_NAMES: NameStyle =
    NameStyle { print: attribute_name, shows_important: true, are_objects: false };
const KEYS: NameStyle = NameStyle { print: go_quoted, shows_important: false, are_objects: false };
const KEYS_OF_OBJECTS: NameStyle = NameStyle { are_objects: true, ..KEYS };

/// The attributes by which practitioners recognize an object.
const IMPORTANT: [&str; 3] = ["id", "name", "tags"];

/// Prints attributes or the elements of a map, one in each line.
fn print_attributes(
    parts: &[(String, Diff)],
    indent: usize,
    options: Options,
    style: &NameStyle,
) -> PrintedAttributes {
    let indent = indent + 1;
    let aligned = parts.iter().filter(|_| !style.are_objects);
    let width = aligned.map(|(name, _)| (style.print)(name).chars().count()).max().unwrap_or_default();
    let comma = if style.are_objects { "," } else { "" };
    let mut printed = PrintedAttributes { lines: String::new(), hidden: 0, indent };
    for (name, diff) in parts {
        let is_important = style.shows_important && IMPORTANT.contains(&name.as_str());
        if options.is_hidden(diff) && !is_important {
            printed.hidden += 1;
            continue;
        }
        let options = Options { shows_unchanged: options.shows_unchanged || is_important, ..options };
        let (name, value) = ((style.print)(name), value(diff, indent, options));
        printed.lines += &sensitivity_warning(diff, indent);
        printed.lines += &format!("{}{name:width$} = {value}{comma}\n", start(indent, diff.action));
    }
    printed
}

fn list(elements: &[Diff], shows_context: bool, indent: usize, options: Options) -> String {
    let indent = indent + 1;
    let line = |it: &Diff, options: Options| {
        let value = value(it, indent, options.hide_null(true));
        format!("{}{}{value},\n", sensitivity_warning(it, indent), start(indent, it.action))
    };
    let mut text = String::new();
    let mut unchanged: Vec<&Diff> = Vec::new();
    // True for the element after a changed one.
    let mut is_context = false;
    for element in elements {
        if options.is_hidden(element) && !is_context {
            unchanged.push(element);
            continue;
        }
        if shows_context {
            // The element before a changed one.
            let before = unchanged.pop();
            text += &hidden(unchanged.len(), "element", indent);
            text += &before.map(|it| line(it, SHOWS_UNCHANGED)).unwrap_or_default();
            unchanged.clear();
            is_context = element.action != Action::NoOp;
        }
        let options = if element.action == Action::NoOp { SHOWS_UNCHANGED } else { options };
        text += &line(element, options);
    }
    text + &hidden(unchanged.len(), "element", indent)
}

fn block(attributes: &[(String, Diff)], blocks: &[BlockDiff], indent: usize, options: Options) -> String {
    let mut text = print_attributes(attributes, indent, options, &ATTRIBUTE_NAMES).text("attribute");
    let indent = indent + 1;
    let (mut hidden_blocks, mut last) = (0, None);
    for it in blocks {
        if options.is_hidden(&it.diff) {
            hidden_blocks += 1;
            continue;
        }
        if last != Some(&it.name) && !attributes.is_empty() {
            text.push('\n');
        }
        last = Some(&it.name);
        let label = it.label.as_ref().map(|it| format!("{} ", go_quoted(it))).unwrap_or_default();
        let content =
            if it.is_sensitive { sensitive_block(indent) } else { value(&it.diff, indent, options) };
        text += &format!("{}{} {label}{content}\n", start(indent, it.diff.action), attribute_name(&it.name));
    }
    if hidden_blocks > 0 {
        text += &format!("\n{}", hidden(hidden_blocks, "block", indent));
    }
    text
}

fn sensitive_block(indent: usize) -> String {
    let comment = start(indent + 1, Action::NoOp);
    let comment = &comment[..comment.len() - 2];
    format!(
        "{{\n{comment}# At least one attribute in this block is (or was) sensitive,\n{comment}# so its contents will not be \
         displayed.\n{}}}",
        start(indent, Action::NoOp)
    )
}

/// The lines above a value that becomes sensitive, or that is no longer sensitive.
fn sensitivity_warning(diff: &Diff, indent: usize) -> String {
    let Body::Sensitive { is_before_sensitive: before, is_after_sensitive: after, is_unchanged } = diff.body
    else {
        return String::new();
    };
    if before == after || matches!(diff.action, Action::Create | Action::Delete) {
        return String::new();
    }
    let start = format!("{:width$}#", "", width = 4 * indent + 2);
    let end = if is_unchanged { " The value is unchanged." } else { "" };
    if after {
        format!(
            "{start} Warning: this attribute value will be marked as sensitive and will not\n{start} display in UI output after applying \
             this change.{end}\n"
        )
    } else {
        format!(
            "{start} Warning: this attribute value will no longer be marked as sensitive\n{start} after applying this change.{end}\n"
        )
    }
}

/// Prints a change of a string, number, bool or null. `null` is the text after a deleted value.
fn scalar(
    action: Action,
    before: Option<&Json>,
    after: Option<&Json>,
    indent: usize,
    null: &str,
    forces: &str,
) -> String {
    if action == Action::Update {
        let (old, new) = (before.unwrap_or(&Json::Null), after.unwrap_or(&Json::Null));
        return match (encoded_json(old), encoded_json(new)) {
            (Some(old), Some(new)) => json_update(&old, &new, indent, forces),
            (None, None) if is_multiline(old) || is_multiline(new) => lines_update(old, new, indent, forces),
            _ => format!(
                "{} -> {}{forces}",
                single(Action::Delete, old, indent, "", ""),
                single(Action::Create, new, indent, "", "")
            ),
        };
    }
    single(action, after.or(before).unwrap_or(&Json::Null), indent, null, forces)
}

/// Prints one value without a change.
fn single(action: Action, it: &Json, indent: usize, null: &str, forces: &str) -> String {
    let close = start(indent, Action::NoOp);
    if let Some(json) = encoded_json(it) {
        let (before, after) =
            if action == Action::Delete { (Some(&json), None) } else { (None, Some(&json)) };
        let before = if action == Action::NoOp { Some(&json) } else { before };
        let diff = diff::value(&ValueChange::between(before, after));
        let options = Options { hides_null: true, shows_unchanged: action == Action::NoOp };
        let inner = format!("{}{}", start(indent + 1, Action::NoOp), value(&diff, indent + 1, options));
        return format!("jsonencode(\n{inner}{forces}\n{close}){null}");
    }
    if is_multiline(it) {
        let start = start(indent + 1, Action::NoOp);
        let lines: String = lines(it).map(|line| format!("{start}{line}\n")).collect();
        return format!("<<-EOT{forces}\n{lines}{close}EOT{null}");
    }
    match it {
        Json::String(text) => format!("{}{null}{forces}", go_quoted(text)),
        other => format!("{other}{null}{forces}"),
    }
}

fn json_update(old: &Json, new: &Json, indent: usize, forces: &str) -> String {
    let diff = diff::value(&ValueChange::between(Some(old), Some(new)));
    let (note, options) = match diff.action {
        // The strings differ, but their values are equal.
        Action::NoOp => (" # whitespace changes", SHOWS_UNCHANGED),
        _ => ("", Options::default()),
    };
    let inner = format!("{}{}", start(indent + 1, diff.action), value(&diff, indent + 1, options));
    format!("jsonencode({note}\n{inner}{forces}\n{})", start(indent, Action::NoOp))
}

fn lines_update(old: &Json, new: &Json, indent: usize, forces: &str) -> String {
    let (old, new): (Vec<Json>, Vec<Json>) =
        (lines(old).map(Json::from).collect(), lines(new).map(Json::from).collect());
    let mut text = format!("<<-EOT{forces}\n");
    let mut add = |action, line: &Json| {
        text += &format!("{}{}\n", start(indent + 1, action), line.as_str().unwrap_or_default());
    };
    for (before, after) in match_by_order(&old, &new) {
        match (before.and_then(|it| old.get(it)), after.and_then(|it| new.get(it))) {
            (Some(before), Some(after)) if before == after => add(Action::NoOp, before),
            (before, after) => {
                before.into_iter().for_each(|it| add(Action::Delete, it));
                after.into_iter().for_each(|it| add(Action::Create, it));
            }
        }
    }
    text + &start(indent, Action::NoOp) + "EOT"
}

/// The value in a string with a JSON array or object.
fn encoded_json(it: &Json) -> Option<Json> {
    let text = it.as_str()?.trim_start();
    text.starts_with(['{', '[']).then(|| serde_json::from_str(text).ok()).flatten()
}

fn is_multiline(it: &Json) -> bool {
    it.as_str().is_some_and(|it| it.contains('\n'))
}

fn lines(it: &Json) -> impl Iterator<Item = &str> {
    it.as_str().unwrap_or_default().trim().split('\n')
}

/// The name of an attribute, in quotes if it is not an identifier.
fn attribute_name(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { go_quoted(name) }
}

/// A string in quotes, with the escape sequences of Go.
fn go_quoted(text: &str) -> String {
    let mut quoted = String::new();
    write_quoted(&mut quoted, text);
    quoted
}
