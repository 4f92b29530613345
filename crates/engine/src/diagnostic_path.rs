//! Where Terraform can show a diagnostic.

use ferroform_value::{Path, Step};

use crate::contract::is_sensitive;
use crate::schema::{Block, Member};
use crate::{Diagnostic, Diagnostics};

/// The diagnostics, each with a place that Terraform finds in the configuration.
///
/// It goes into blocks, then to an attribute, then to one of its elements, of which it shows no more than the
/// attribute's line. What lies deeper, and what is inside a set, it shows without a line; the place is then cut to
/// what it finds. Whatever is no line of its own the text names.
pub fn shown(block: &Block, all: Diagnostics) -> Diagnostics {
    all.into_iter().map(|it| diagnostic(block, it)).collect()
}

/// The diagnostics of a call that knows no configuration: Terraform shows none of the places, so the texts name them.
pub fn told(block: &Block, all: Diagnostics) -> Diagnostics {
    all.into_iter().map(|it| tell(block, it)).collect()
}

fn tell(block: &Block, mut it: Diagnostic) -> Diagnostic {
    if let Some(path) = &it.path {
        let place = named(block, path).to_string();
        if !it.detail.starts_with(&place) {
            it.detail = format!("{place}: {}", it.detail);
        }
    }
    it
}

fn diagnostic(block: &Block, it: Diagnostic) -> Diagnostic {
    let Some(path) = &it.path else { return it };
    let found = &path.steps()[..reach(block, path.steps())];
    // Of an element it shows the attribute's line, which mostly names none.
    let is_element = !matches!(found.last(), Some(Step::Attribute(_)));
    if found.len() < path.steps().len() || is_element || is_block(block, found) || is_unwritten(block, path) {
        let found = found.iter().cloned().collect::<Path>();
        return Diagnostic { path: Some(found), ..tell(block, it) };
    }
    it
}

/// The place with no more of it than may be seen: the keys of a sensitive map are part of its value.
fn named(block: &Block, path: &Path) -> Path {
    let steps = path.steps();
    let shown = steps.iter().enumerate().map(|(i, step)| match step {
        Step::Key(_) if is_sensitive(block, &steps[..i].iter().cloned().collect()) => {
            Step::Key("(sensitive value)".into())
        }
        _ => step.clone(),
    });
    shown.collect()
}

/// True for a block or one of several. Terraform has no line for these: it shows what is around them.
fn is_block(block: &Block, steps: &[Step]) -> bool {
    let [Step::Attribute(name), rest @ ..] = steps else { return false };
    let Some(nested) = block.blocks.iter().find(|it| it.name == *name) else { return false };
    match rest {
        [] | [Step::Index(_) | Step::Key(_)] => true,
        [Step::Index(_) | Step::Key(_), inside @ ..] => is_block(&nested.block, inside),
        inside => is_block(&nested.block, inside),
    }
}

/// True where no configuration can have the line: only the provider writes the attribute, or there is no such one.
fn is_unwritten(block: &Block, path: &Path) -> bool {
    match block.at(path) {
        Some(Member::Attribute(it)) => !it.mode.is_configurable(),
        Some(Member::Block(_)) => false,
        None => true,
    }
}

/// How many steps Terraform goes.
fn reach(block: &Block, steps: &[Step]) -> usize {
    let [Step::Attribute(name), rest @ ..] = steps else {
        return 0;
    };
    let element = match rest.first() {
        Some(Step::Index(_) | Step::Key(_)) => 1,
        _ => 0,
    };
    match block.blocks.iter().find(|it| it.name == *name) {
        // An element of a set is the end, since it has no form on the wire.
        Some(_) if matches!(rest.first(), Some(Step::Element(_))) => 1,
        Some(nested) => 1 + element + reach(&nested.block, &rest[element..]),
        None => 1 + element,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path;
    use crate::schema::{Attribute, Nested, NestedBlock, Nesting};
    use ferroform_value::{Type, Value};

    fn block() -> Block {
        let size = Attribute::raw("size", Type::Number);
        let id = Attribute::raw("id", Type::String).computed();
        let labels = Attribute::raw("labels", Type::map(Type::String));
        let secrets = Attribute::raw("secrets", Type::map(Type::map(Type::String))).sensitive();
        let inner = Block::new().attribute(size.clone()).attribute(labels.clone());
        let block = |name: &str, nesting| NestedBlock {
            name: name.into(),
            nesting,
            block: inner.clone(),
            min_items: 0,
            max_items: 0,
            computed: false,
            keep: Default::default(),
            replace: Default::default(),
            rules: Vec::new(),
            relations: Vec::new(),
            nullable: true,
            refused: Vec::new(),
        };
        Block {
            blocks: vec![
                block("disk", Nesting::List),
                block("owner", Nesting::Single),
                block("rule", Nesting::Set),
            ],
            ..Block::new().attribute(size).attribute(id).attribute(labels).attribute(secrets).attribute(
                Attribute::raw_nested("disks", Nested { nesting: Nesting::List, block: inner.clone() }),
            )
        }
    }

    /// The place and the detail that go out for the detail `wrong` at that place.
    fn sent(place: Path) -> (String, String) {
        let sent = diagnostic(&block(), Diagnostic::error("E").detail("wrong").at(place));
        (sent.path.unwrap_or_default().to_string(), sent.detail)
    }

    #[test]
    fn what_terraform_finds_is_left_as_it_is() {
        for place in [path!(size), path!(disk[1].size), path!(owner.size), path!(disks)] {
            assert_eq!(sent(place.clone()), (place.to_string(), "wrong".into()));
        }
    }

    #[test]
    fn an_element_is_named() {
        assert_eq!(sent(path!(disks[1])), ("disks[1]".into(), "disks[1]: wrong".into()));
        assert_eq!(sent(path!(labels["AB"])), (r#"labels["AB"]"#.into(), r#"labels["AB"]: wrong"#.into()));
        assert_eq!(sent(path!(owner.labels["a"])).1, r#"owner.labels["a"]: wrong"#);
        // The key of a secret map is secret, and so is what lies deeper.
        assert_eq!(sent(path!(secrets["AB"])).1, r#"secrets["(sensitive value)"]: wrong"#);
        assert_eq!(
            sent(path!(secrets["AB"]["CD"])).1,
            r#"secrets["(sensitive value)"]["(sensitive value)"]: wrong"#
        );
    }

    #[test]
    fn what_no_configuration_holds_is_said() {
        for place in [path!(id), path!(gone)] {
            assert_eq!(sent(place.clone()), (place.to_string(), format!("{place}: wrong")));
        }
    }

    #[test]
    fn without_a_configuration_every_place_is_said() {
        for place in [path!(size), path!(disk[1].size), path!(owner.size), path!(disks)] {
            let all = [Diagnostic::error("E").detail("wrong").at(place.clone())].into_iter().collect();
            let told: Vec<_> = told(&block(), all).into_iter().map(|it| (it.path, it.detail)).collect();
            assert_eq!(told, [(Some(place.clone()), format!("{place}: wrong"))]);
        }
        let all = [Diagnostic::error("E").detail("wrong")].into_iter().collect();
        assert!(told(&block(), all).into_iter().all(|it| it.detail == "wrong"));
    }

    #[test]
    fn what_lies_deeper_is_said() {
        assert_eq!(sent(path!(disks[1].size)), ("disks[1]".into(), "disks[1].size: wrong".into()));
        let element = Path::attribute("rule").then(Step::Element(Box::new(Value::Null))).name("size");
        assert_eq!(sent(element), ("rule".into(), "rule[an element of the set].size: wrong".into()));
        // For a block itself Terraform has no line of its own.
        for place in [path!(disk), path!(disk[1]), path!(owner)] {
            assert_eq!(sent(place.clone()), (place.to_string(), format!("{place}: wrong")));
        }
        let said = Diagnostic::error("E").detail("disks[1].size: wrong").at(path!(disks[1].size));
        assert_eq!(diagnostic(&block(), said).detail, "disks[1].size: wrong");
    }
}
