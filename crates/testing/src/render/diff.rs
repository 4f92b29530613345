//! Computes the differences inside a value.

use std::sync::Arc;

use ferroform::schema::{Block, Member, Nesting};
use ferroform::value::Type;

use super::alignment::{match_by_equality, match_by_order};
use super::change::{Action, ValueChange};
use crate::workspace::Json;

/// A value or block with its change.
#[derive(Debug)]
pub(super) struct Diff {
    pub(super) action: Action,
    /// True if the value requires replacement.
    pub(super) requires_replace: bool,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    /// A string, number, bool or null.
    Scalar {
        before: Option<Json>,
        after: Option<Json>,
    },
    /// A value that will be unknown, and the deletion of the prior value.
    Unknown(Option<Box<Diff>>),
    Sensitive {
        is_before_sensitive: bool,
        is_after_sensitive: bool,
        is_unchanged: bool,
    },
    /// A value of another type than the prior one: the deletion of the old value and the creation of the new one.
    TypeChange(Box<Diff>, Box<Diff>),
    List {
        elements: Vec<Diff>,
        shows_context: bool,
    },
    Map {
        entries: Vec<(String, Diff)>,
        style: MapStyle,
    },
    Object {
        attributes: Vec<(String, Diff)>,
        is_nested: bool,
    },
    Block {
        attributes: Vec<(String, Diff)>,
        blocks: Vec<BlockDiff>,
    },
}

impl Diff {
    fn of_null() -> Diff {
        let body = Body::Scalar { before: Some(Json::Null), after: None };
        Diff { action: Action::Delete, requires_replace: false, body }
    }
}

/// The elements of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapStyle {
    Values,
    Objects,
    NestedObjects,
}

/// A block inside a block.
#[derive(Debug)]
pub(super) struct BlockDiff {
    pub(super) name: String,
    /// The label, for blocks with labels.
    pub(super) label: Option<String>,
    pub(super) is_sensitive: bool,
    pub(super) diff: Diff,
}

/// The type of a value in the schema.
#[derive(Clone, Debug)]
enum ValueSchema {
    Type(Type),
    Nested(Nesting, Arc<Block>),
    /// A value inside a dynamic value.
    InsideDynamic,
}

/// Computes the diff of a value of any type, such as an output.
pub(super) fn value(change: &ValueChange<'_>) -> Diff {
    diff(change, &ValueSchema::InsideDynamic)
}

/// Computes the diff of a resource or block. Without a schema, the types follow from the JSON.
pub(super) fn block_diff(change: &ValueChange<'_>, block: Option<&Block>) -> Diff {
    let mut attributes = Vec::new();
    let mut blocks = Vec::new();
    for name in change.names() {
        match block.and_then(|it| it.member(name)) {
            Some(Member::Block(nested)) => {
                blocks.extend(block_diffs(name, &change.entry(name), nested.nesting(), nested.block()));
            }
            member => attributes.extend(attribute_diff(change, name, &ValueSchema::of(member))),
        }
    }
    let inner = attributes.iter().map(|(_, it)| it).chain(blocks.iter().map(|it| &it.diff));
    let action = action_of_container(change, inner);
    Diff { action, requires_replace: change.requires_replace(), body: Body::Block { attributes, blocks } }
}

/// The diffs of the blocks with this name.
fn block_diffs(name: &str, change: &ValueChange<'_>, nesting: Nesting, block: &Arc<Block>) -> Vec<BlockDiff> {
    let is_sensitive = change.is_before_sensitive() || change.is_after_sensitive();
    let one = |label: Option<&str>, change: &ValueChange<'_>| BlockDiff {
        name: name.to_owned(),
        label: label.map(str::to_owned),
        is_sensitive,
        diff: block_diff(change, Some(block)),
    };
    match nesting {
        Nesting::Single => {
            let change = change.clone().with_nulls_absent();
            let exists = change.before.is_some() || change.after.is_some();
            if exists { vec![one(None, &change)] } else { Vec::new() }
        }
        Nesting::Map => {
            change.names().into_iter().map(|label| one(Some(label), &change.entry(label))).collect()
        }
        Nesting::Set => elements_of_set(change).iter().map(|it| one(None, it)).collect(),
        _ => elements_by_index(change).iter().map(|it| one(None, it)).collect(),
    }
}

fn diff(change: &ValueChange<'_>, schema: &ValueSchema) -> Diff {
    if change.is_before_sensitive() || change.is_after_sensitive() {
        return sensitive(change, schema);
    }
    let is_inside_dynamic = matches!(schema, ValueSchema::InsideDynamic);
    let dynamic = is_inside_dynamic || matches!(schema, ValueSchema::Type(Type::Dynamic));
    let change = &if dynamic { change.clone() } else { change.clone().with_empty_strings_as_null() };
    let finish = |body, action| Diff { action, requires_replace: change.requires_replace(), body };
    if change.is_unknown() {
        let before = change.before.filter(|it| !it.is_null());
        let before = before.map(|it| match it {
            // Terraform prints an empty string as null here.
            it if *it == "" && !is_inside_dynamic => Diff::of_null(),
            _ => diff(&change.deletion(), schema),
        });
        let before = before.map(Box::new);
        let action = if before.is_some() { Action::Update } else { Action::Create };
        return finish(Body::Unknown(before), action);
    }
    let is_container = |it: Option<&Json>| it.is_some_and(|it| it.is_array() || it.is_object());
    // Terraform does not print which dynamic value requires replacement, unless it is unknown.
    let finish =
        |body, action| Diff { action, requires_replace: change.requires_replace() && !dynamic, body };
    if dynamic && is_another_type(change) {
        let (old, new) = (diff(&change.deletion(), schema), diff(&change.creation(), schema));
        return finish(Body::TypeChange(Box::new(old), Box::new(new)), Action::Update);
    }
    if !is_container(change.before) && !is_container(change.after) {
        let body = Body::Scalar { before: change.before.cloned(), after: change.after.cloned() };
        return finish(body, change.action());
    }
    let body = match schema {
        ValueSchema::Type(ty) => container(change, ty),
        ValueSchema::Nested(nesting, block) => nested(change, *nesting, block),
        ValueSchema::InsideDynamic => container(change, &Type::Dynamic),
    };
    let inner: Vec<&Diff> = match &body {
        Body::List { elements, .. } => elements.iter().collect(),
        Body::Map { entries: inner, .. } | Body::Object { attributes: inner, .. } => {
            inner.iter().map(|(_, it)| it).collect()
        }
        _ => Vec::new(),
    };
    let action = match inner.iter().any(|it| it.action == Action::Update) {
        // A sensitive empty string can be updated in a created or deleted object.
        true => Action::Update,
        false => action_of_container(change, inner),
    };
    finish(body, action)
}

/// True if a dynamic value becomes one that cannot be compared with the prior value.
fn is_another_type(change: &ValueChange<'_>) -> bool {
    let kind = |it: &Json| match it {
        Json::Array(_) => 1,
        Json::Object(_) => 2,
        _ => 0,
    };
    matches!((change.before, change.after), (Some(before), Some(after)) if kind(before) != kind(after))
}

/// The diff of a list, set, map, tuple or object.
fn container(change: &ValueChange<'_>, ty: &Type) -> Body {
    let of = |it: &ValueChange<'_>, ty: &Type| diff(it, &ValueSchema::Type(ty.clone()));
    match ty {
        Type::Map(element) => {
            let style =
                if matches!(**element, Type::Object(_)) { MapStyle::Objects } else { MapStyle::Values };
            let entry = |key: &str| (key.to_owned(), of(&change.entry(key), element));
            Body::Map { entries: change.names().into_iter().map(entry).collect(), style }
        }
        Type::Set(element) => {
            let elements = elements_of_set(change).iter().map(|it| of(it, element)).collect();
            Body::List { elements, shows_context: false }
        }
        Type::List(element) => {
            let elements = elements_of_list(change).iter().map(|it| of(it, element)).collect();
            Body::List { elements, shows_context: true }
        }
        Type::Object(object) => {
            let attribute = |name: &str| {
                let ty = object.get(name).map_or(Type::Dynamic, |it| it.ty.clone());
                attribute_diff(change, name, &ValueSchema::Type(ty))
            };
            let attributes = change.names().into_iter().filter_map(attribute).collect();
            Body::Object { attributes, is_nested: false }
        }
        // A tuple has no common type of its elements.
        _ if change.before.or(change.after).is_some_and(Json::is_array) => {
            let elements =
                elements_of_list(change).iter().map(|it| diff(it, &ValueSchema::InsideDynamic)).collect();
            Body::List { elements, shows_context: true }
        }
        _ => {
            let attribute =
                |name: &str| (name.to_owned(), diff(&change.entry(name), &ValueSchema::InsideDynamic));
            let attributes = change.names().into_iter().map(attribute).collect();
            Body::Object { attributes, is_nested: false }
        }
    }
}

/// The diff of a nested attribute.
fn nested(change: &ValueChange<'_>, nesting: Nesting, block: &Arc<Block>) -> Body {
    let single = ValueSchema::Nested(Nesting::Single, block.clone());
    match nesting {
        Nesting::Single => {
            let attribute = |name| attribute_diff(change, name, &ValueSchema::of(block.member(name)));
            let attributes = change.names().into_iter().filter_map(attribute).collect();
            Body::Object { attributes, is_nested: true }
        }
        Nesting::Map => {
            let entry = |key: &str| (key.to_owned(), diff(&change.entry(key), &single));
            let entries = change.names().into_iter().map(entry).collect();
            Body::Map { entries, style: MapStyle::NestedObjects }
        }
        Nesting::Set => {
            let elements = elements_of_set(change).iter().map(|it| diff(it, &single)).collect();
            Body::List { elements, shows_context: false }
        }
        _ => {
            let elements = elements_by_index(change).iter().map(|it| diff(it, &single)).collect();
            Body::List { elements, shows_context: false }
        }
    }
}

fn sensitive(change: &ValueChange<'_>, schema: &ValueSchema) -> Diff {
    // Terraform prints an empty string as null here.
    let inner = diff(&change.without_sensitivity().with_empty_strings_absent(), schema);
    let (is_before_sensitive, is_after_sensitive) =
        (change.is_before_sensitive(), change.is_after_sensitive());
    let is_null = change.before.is_none() && change.after.is_none();
    let is_unchanged = inner.action == Action::NoOp;
    let action = if is_unchanged && is_before_sensitive != is_after_sensitive && !is_null {
        Action::Update
    } else {
        inner.action
    };
    Diff {
        action,
        requires_replace: change.requires_replace(),
        body: Body::Sensitive { is_before_sensitive, is_after_sensitive, is_unchanged },
    }
}

/// The diff of an attribute with its name; `None` if it is null before and after the change, which Terraform omits from the
/// number of hidden attributes.
fn attribute_diff(change: &ValueChange<'_>, name: &str, schema: &ValueSchema) -> Option<(String, Diff)> {
    let change = change.attribute(name);
    let diff = diff(&change.clone().with_empty_strings_as_null().with_nulls_absent(), schema);
    let is_absent = diff.action == Action::NoOp && change.before.is_none() && change.after.is_none();
    (!is_absent).then(|| (name.to_owned(), diff))
}

/// The action of a value that contains other values, of which only some may change.
fn action_of_container<'d>(change: &ValueChange<'_>, inner: impl IntoIterator<Item = &'d Diff>) -> Action {
    let has_changes = inner.into_iter().any(|it| it.action != Action::NoOp);
    match change.action() {
        Action::Update | Action::NoOp if has_changes => Action::Update,
        Action::Update => Action::NoOp,
        action => action,
    }
}

/// Matches the elements by index.
fn elements_by_index<'a>(change: &ValueChange<'a>) -> Vec<ValueChange<'a>> {
    let (before, after) = change.elements();
    let element = |i: usize| change.element((i < before.len()).then_some(i), (i < after.len()).then_some(i));
    (0..before.len().max(after.len())).map(element).collect()
}

fn elements_of_list<'a>(change: &ValueChange<'a>) -> Vec<ValueChange<'a>> {
    let (before, after) = change.elements();
    match_by_order(before, after).into_iter().map(|(old, new)| change.element(old, new)).collect()
}

fn elements_of_set<'a>(change: &ValueChange<'a>) -> Vec<ValueChange<'a>> {
    let (before, after) = change.elements();
    let is_equal = |old: usize, new: usize| {
        let pair = change.element(Some(old), Some(new));
        pair.action() == Action::NoOp && pair.is_before_sensitive() == pair.is_after_sensitive()
    };
    let matches = match_by_equality(before.len(), after.len(), is_equal);
    matches.into_iter().map(|(old, new)| change.element(old, new)).collect()
}

impl ValueSchema {
    /// The schema of an attribute; that of a dynamic value if the block does not contain it.
    fn of(member: Option<Member<'_>>) -> ValueSchema {
        let Some(member) = member else { return ValueSchema::Type(Type::Dynamic) };
        match (member, member.nested()) {
            (Member::Attribute(_), Some((nesting, block))) => ValueSchema::Nested(nesting, block.clone()),
            _ => ValueSchema::Type(member.ty().clone()),
        }
    }
}
