//! The names of kinds of objects in pages, templates and examples.

use ferroform_engine::Kind;

/// The directory of pages, templates and examples, such as `data-sources`. The provider has only a directory of examples,
/// because its page is `index.md`.
pub(super) fn directory(kind: Kind) -> String {
    if kind == Kind::Provider { example(kind).0 } else { format!("{}s", example(kind).0) }
}

/// The label in page titles, such as `Data Source`; `function` is lowercase, as in `tfplugindocs`.
pub(super) fn label(kind: Kind) -> String {
    if kind == Kind::Function {
        return kind.noun().to_owned();
    }
    let words = kind.noun().split(' ').map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect::<Vec<_>>().join(" ")
}

/// The start of the file names of examples, such as `data-source`, and their extension.
pub(super) fn example(kind: Kind) -> (String, &'static str) {
    let extension = if kind == Kind::ListResource { ".tfquery.hcl" } else { ".tf" };
    (kind.noun().replace(' ', "-"), extension)
}
