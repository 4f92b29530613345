//! The objects of a provider that are checked.

use std::sync::Arc;

use ferroform::schema::{Block, GroupRule, Member, Nesting, Relation, RelationKind};
use ferroform::value::{Path, Step as PathStep, Value};
use ferroform_engine::Kind;

use super::values::{BlockValues, ExistingValues, with_member};
use crate::instance_state::InstanceState;

/// A type of object that is checked.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) block: Block,
    pub(super) values: BlockValues,
    /// A configuration that the provider and its service accept.
    pub(super) base: Value,
    /// The attributes that a read does not return, by their names.
    pub(super) not_read: Vec<Vec<Arc<str>>>,
    /// True if a read after `delete` finds nothing: false for a resource that exists only in the state.
    pub(super) has_remote_object: bool,
    /// The state of an object with the base configuration.
    pub(super) example: Option<InstanceState>,
    /// The attributes that refer to objects of other types.
    pub(super) links: Vec<Link>,
    /// The values of existing objects when the base configuration was accepted.
    pub(super) existing: ExistingValues,
}

/// An attribute whose value is an attribute of an object of another type.
#[derive(Clone)]
pub(super) struct Link {
    /// The attribute of the resource.
    pub(super) attribute: Arc<str>,
    /// The other resource type.
    pub(super) type_name: String,
    /// The attribute of the other type.
    pub(super) source: Arc<str>,
    /// The value in the configurations of the target.
    pub(super) value: Value,
}

/// The label of the objects to which attributes refer.
pub(super) const RELATED: &str = "related";

impl Link {
    /// The reference to the attribute of the other object.
    pub(super) fn reference(&self) -> String {
        format!("{}.{RELATED}.{}", self.type_name, self.source)
    }
}

impl Target {
    /// The target with values of these links.
    pub(super) fn with_links(&self, links: Vec<Link>) -> Target {
        let mut target = self.clone();
        for link in &links {
            for field in target.values.0.iter_mut().filter(|it| it.name == link.attribute) {
                (field.base, field.typical, field.boundary) =
                    (link.value.clone(), vec![link.value.clone()], Vec::new());
            }
            target.base = with_member(&target.base, &link.attribute, link.value.clone());
        }
        target.links = links;
        target
    }

    pub(super) fn block(&self) -> &Block {
        &self.block
    }

    /// The differences between two objects, except in attributes that a read cannot return.
    pub(super) fn differences(&self, expected: &Value, actual: &Value) -> Vec<(Path, String)> {
        let mut found = Vec::new();
        self.collect_differences(self.block(), &Path::ROOT, expected, actual, &mut found);
        found
    }

    fn collect_differences(
        &self,
        block: &Block,
        at: &Path,
        expected: &Value,
        actual: &Value,
        found: &mut Vec<(Path, String)>,
    ) {
        for member in block.members() {
            let path = at.clone().name(member.name().clone());
            let is_timeouts = member.nested().is_some_and(|(_, it)| it.timeouts().is_some());
            if member.is_masked()
                || is_timeouts
                || is_version_of_secret(block, member.name())
                || self.is_not_read(&path)
            {
                continue;
            }
            let [old, new] = [expected, actual].map(|it| it.attribute_or_null(member.name()));
            let is_equal = match member {
                Member::Attribute(it) => {
                    it.is_semantically_equal(old, new) || it.is_diff_suppressed(old, new)
                }
                Member::Block(_) => old == new,
            };
            // Many services do not distinguish an empty collection from none.
            let is_empty = |it: &Value| it.is_null() || it.length() == Some(0);
            let is_equal = is_equal || is_empty(old) && is_empty(new);
            if is_equal {
                continue;
            }
            let pairs: Vec<_> = old.children().zip(new.children()).collect();
            let is_comparable = old.length() == new.length()
                && !pairs.is_empty()
                && pairs.iter().all(|((a, _), (b, _))| a == b && !matches!(a, PathStep::Element(_)));
            match member.nested() {
                Some((Nesting::Single, inside)) if !old.is_null() && !new.is_null() => {
                    self.collect_differences(inside, &path, old, new, found);
                }
                Some((_, inside)) if is_comparable => {
                    for ((step, old), (_, new)) in pairs {
                        self.collect_differences(inside, &path.clone().then(step), old, new, found);
                    }
                }
                Some((Nesting::Set, inside)) if has_unread(inside) && old.length() == new.length() => {}
                _ => found.push((path, format!("expected {}, but got {}", old.summary(), new.summary()))),
            }
        }
    }

    /// True if the attribute at the path, or an enclosing attribute, conflicts with others.
    pub(super) fn has_alternatives(&self, path: &Path) -> bool {
        let Some(name) = attribute_names(path).into_iter().next() else { return false };
        let excludes =
            |it: &Relation| matches!(it.kind, RelationKind::ExactlyOneOf | RelationKind::ConflictsWith);
        let relations = self.block.members().flat_map(|it| {
            let relations = it.behavior().relations.iter().filter(|it| excludes(it));
            relations.map(move |relation| (it.name(), &relation.others.siblings))
        });
        let groups = self.block.groups().iter().filter(|it| it.rule != GroupRule::AllOrNone);
        relations.into_iter().any(|(member, others)| *member == name || others.contains(&name))
            || groups.into_iter().any(|it| it.members.siblings.contains(&name))
    }

    /// True if the test has declared with `not_read` that a read does not return the attribute.
    fn is_not_read(&self, path: &Path) -> bool {
        let names = attribute_names(path);
        self.not_read.iter().any(|it| names.starts_with(it))
    }
}

/// True for an attribute such as `password_wo_version`: if it changes, the provider writes the write-only `password_wo` again. It exists only
/// in the state.
fn is_version_of_secret(block: &Block, name: &str) -> bool {
    let secret = name.strip_suffix("_version").and_then(|it| block.get(it));
    secret.is_some_and(|it| it.is_write_only())
}

/// True if a read cannot return some attribute of the block.
fn has_unread(block: &Block) -> bool {
    block.members().any(|it| it.is_masked() || it.nested().is_some_and(|(_, it)| has_unread(it)))
}

/// The names of the attributes in a path.
pub(super) fn attribute_names(path: &Path) -> Vec<Arc<str>> {
    let names = path.steps().iter().filter_map(|it| match it {
        PathStep::Attribute(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}
