//! Attribute paths of diagnostics: which of them Terraform can show.

use ferroform_value::{Path, Step};

use crate::diagnostic_kind::DiagnosticKind;
use crate::redaction::display::display_path;
use crate::schema::{Block, Member};
use crate::{Diagnostic, Diagnostics};

/// The diagnostics of a request with a configuration, each with a path that Terraform finds in the configuration.
///
/// Terraform follows a path through blocks to an attribute and to one of the attribute's elements, and shows the line
/// of the attribute. It shows no line for a deeper path or for a path inside a set, so the path is truncated to the
/// part that Terraform finds. If the line does not identify the value, the detail names the whole path. For example,
/// the path `disks[1].size` of a nested attribute is sent as `disks[1]`, and the detail begins with `disks[1].size: `.
pub fn for_configuration(block: &Block, all: Diagnostics) -> Diagnostics {
    all.into_iter().map(|it| shown_diagnostic(block, it)).collect()
}

/// The diagnostics of a request without a configuration: Terraform shows no line for them, so each detail names the
/// path.
pub fn without_configuration(block: &Block, all: Diagnostics) -> Diagnostics {
    all.into_iter().map(|it| with_path_in_detail(block, it)).collect()
}

/// The diagnostic with its path at the beginning of the detail, unless the detail names the path already.
fn with_path_in_detail(block: &Block, mut diagnostic: Diagnostic) -> Diagnostic {
    if let Some(path) = diagnostic.path.as_ref()
        && !path.is_root()
        && !diagnostic.has_path_in_detail()
    {
        diagnostic.detail = format!("{}: {}", display_path(block, path), diagnostic.detail);
    }
    diagnostic
}

fn shown_diagnostic(block: &Block, diagnostic: Diagnostic) -> Diagnostic {
    let Some(path) = diagnostic.path.clone() else { return diagnostic };
    let found = &path.steps()[..resolvable_steps(block, path.steps())];
    // For an element, Terraform shows the line of the attribute, which rarely contains the element.
    let is_element = !matches!(found.last(), Some(Step::Attribute(_)));
    let is_whole_path = found.len() == path.steps().len();
    let is_set = *diagnostic.kind() == DiagnosticKind::ReadOnlyAttributeSet;
    if is_whole_path && !is_element && !is_block(block, found) && (is_set || is_configurable(block, &path)) {
        return diagnostic;
    }
    let found = found.iter().cloned().collect();
    let mut shown = with_path_in_detail(block, diagnostic);
    shown.path = Some(found);
    shown
}

/// True for a block or an element of nested blocks. Terraform shows no line for these, only what encloses them.
fn is_block(block: &Block, steps: &[Step]) -> bool {
    let [Step::Attribute(name), rest @ ..] = steps else { return false };
    let Some(nested) = block.blocks().iter().find(|it| it.name == *name) else { return false };
    match rest {
        [] | [Step::Index(_) | Step::Key(_)] => true,
        [Step::Index(_) | Step::Key(_), inside @ ..] => is_block(&nested.block, inside),
        inside => is_block(&nested.block, inside),
    }
}

/// True if a configuration can contain the path: the attribute exists and is not computed-only.
fn is_configurable(block: &Block, path: &Path) -> bool {
    match block.at(path) {
        Some(Member::Attribute(it)) => it.mode.is_configurable(),
        Some(Member::Block(_)) => true,
        None => false,
    }
}

/// The number of steps of the path that Terraform follows.
fn resolvable_steps(block: &Block, steps: &[Step]) -> usize {
    let [Step::Attribute(name), rest @ ..] = steps else {
        return 0;
    };
    let element = match rest.first() {
        Some(Step::Index(_) | Step::Key(_)) => 1,
        _ => 0,
    };
    match block.blocks().iter().find(|it| it.name == *name) {
        // Terraform stops at an element of a set, which cannot be encoded in a path.
        Some(_) if matches!(rest.first(), Some(Step::Element(_))) => 1,
        Some(nested) => 1 + element + resolvable_steps(&nested.block, &rest[element..]),
        None => 1 + element,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path;
    use crate::schema::{Attribute, Nested, Nesting};
    use ferroform_value::{Type, Value};

    fn block() -> Block {
        let size = Attribute::raw("size", Type::Number);
        let id = Attribute::raw("id", Type::String).computed();
        let labels = Attribute::raw("labels", Type::map(Type::String));
        let secrets = Attribute::raw("secrets", Type::map(Type::map(Type::String))).sensitive();
        let inner = Block::new().attribute(size.clone()).attribute(labels.clone());
        let nested =
            |name: &str, nesting| Attribute::raw_nested(name, Nested::new(nesting, inner.clone())).optional();
        Block::new()
            .with_attributes([size, id, labels, secrets, nested("disks", Nesting::List)])
            .block(nested("disk", Nesting::List))
            .block(nested("owner", Nesting::Single))
            .block(nested("rule", Nesting::Set))
    }

    /// The path and the detail that are sent for the detail `wrong` at that path.
    fn sent(path: Path) -> (String, String) {
        let sent = shown_diagnostic(&block(), Diagnostic::error("E").detail("wrong").at(path));
        (sent.path.unwrap_or_default().to_string(), sent.detail)
    }

    #[test]
    fn path_that_terraform_finds_is_unchanged() {
        for path in [path!(size), path!(disk[1].size), path!(owner.size), path!(disks)] {
            assert_eq!(sent(path.clone()), (path.to_string(), "wrong".into()));
        }
    }

    #[test]
    fn root_path_is_not_named() {
        assert_eq!(sent(Path::ROOT.clone()), (String::new(), "wrong".into()));
        let all = Diagnostics::from(Diagnostic::error("E").detail("wrong").at(Path::ROOT.clone()));
        assert_eq!(without_configuration(&block(), all).to_string(), "E: wrong");
    }

    #[test]
    fn detail_names_element() {
        assert_eq!(sent(path!(disks[1])), ("disks[1]".into(), "disks[1]: wrong".into()));
        assert_eq!(sent(path!(labels["AB"])), (r#"labels["AB"]"#.into(), r#"labels["AB"]: wrong"#.into()));
        assert_eq!(sent(path!(owner.labels["a"])).1, r#"owner.labels["a"]: wrong"#);
        // The keys of a sensitive map are sensitive, and so are deeper ones.
        assert_eq!(sent(path!(secrets["AB"])).1, "secrets: wrong");
        assert_eq!(sent(path!(secrets["AB"]["CD"])).1, "secrets: wrong");
    }

    #[test]
    fn detail_names_attribute_without_configuration() {
        for path in [path!(id), path!(gone)] {
            assert_eq!(sent(path.clone()), (path.to_string(), format!("{path}: wrong")));
        }
    }

    #[test]
    fn line_of_configured_read_only_attribute_is_enough() {
        let error = |path| Diagnostic::error("E").detail("wrong").at(path);
        let shown =
            |path| shown_diagnostic(&block(), error(path).of_kind(DiagnosticKind::ReadOnlyAttributeSet));
        assert_eq!(shown(path!(id)).detail, "wrong");
        assert_eq!(shown(path!(disks[1].id)).detail, "disks[1].id: wrong");
    }

    #[test]
    fn detail_names_every_path_in_requests_without_configuration() {
        for path in [path!(size), path!(disk[1].size), path!(owner.size), path!(disks)] {
            let all = [Diagnostic::error("E").detail("wrong").at(path.clone())].into_iter().collect();
            let shown: Vec<_> =
                without_configuration(&block(), all).into_iter().map(|it| (it.path, it.detail)).collect();
            assert_eq!(shown, [(Some(path.clone()), format!("{path}: wrong"))]);
        }
        let all = [Diagnostic::error("E").detail("wrong")].into_iter().collect();
        assert!(without_configuration(&block(), all).into_iter().all(|it| it.detail == "wrong"));
    }

    #[test]
    fn detail_names_deeper_path() {
        assert_eq!(sent(path!(disks[1].size)), ("disks[1]".into(), "disks[1].size: wrong".into()));
        let element = Path::attribute("rule").then(Step::Element(Box::new(Value::Null))).name("size");
        assert_eq!(sent(element), ("rule".into(), "rule[an element of the set].size: wrong".into()));
        // Terraform shows no line for a block itself.
        for path in [path!(disk), path!(disk[1]), path!(owner)] {
            assert_eq!(sent(path.clone()), (path.to_string(), format!("{path}: wrong")));
        }
    }

    #[test]
    fn detail_that_names_path_is_unchanged() {
        let path = path!(disks[1].size);
        let diagnostic =
            || Diagnostic::error("E").detail("disks[1].size: wrong").at(path.clone()).naming_path();
        assert_eq!(shown_diagnostic(&block(), diagnostic()).detail, "disks[1].size: wrong");
        // The mark is decisive, not the content of the detail.
        let unmarked = Diagnostic::error("E").detail("disks[1].size: wrong").at(path.clone());
        assert_eq!(shown_diagnostic(&block(), unmarked).detail, "disks[1].size: disks[1].size: wrong");
        // Setting another path removes the mark.
        let moved = Diagnostics::from(diagnostic()).at(path!(gone)).into_iter().next().unwrap();
        assert_eq!(shown_diagnostic(&block(), moved).detail, "gone.disks[1].size: disks[1].size: wrong");
    }
}
