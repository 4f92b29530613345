//! The shape of the states of one schema version, and the check that a schema can read such states.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform::schema::{Block, Member, Mode, Nesting};
use ferroform::value::{Path, Type};

/// The attributes of an object in a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape(pub(super) BTreeMap<Arc<str>, StoredAttribute>);

/// One attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StoredAttribute {
    pub(super) content: Content,
    /// The value may be null or missing in a state.
    pub(super) nullable: bool,
    /// The current schema no longer has the attribute, but stored states may.
    pub(super) removed: bool,
}

/// The content of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    Value(Type),
    Objects(Nesting, Shape),
}

fn content(current: Member<'_>) -> Content {
    match current.nested() {
        Some((nesting, block)) => Content::Objects(nesting, Shape::of(block)),
        None => Content::Value(current.ty().without_optional()),
    }
}

/// Returns true if states of the current schema can contain null.
fn can_store_null(current: Member<'_>) -> bool {
    match current {
        Member::Attribute(it) => it.is_nullable() && it.mode() != Mode::Required,
        Member::Block(it) => it.nesting() == Nesting::Single && it.is_nullable(),
    }
}

/// Returns true if the current schema can read a state without the value: as null, as no block, as the default, or
/// as a value that the next read replaces.
fn can_read_null(current: Member<'_>) -> bool {
    match current {
        Member::Attribute(it) => it.is_nullable() || it.mode().is_computed(),
        Member::Block(it) => it.is_nullable(),
    }
}

/// Returns the attributes and blocks that a state contains.
fn stored_members(block: &Block) -> BTreeMap<Arc<str>, Member<'_>> {
    let is_stored = |it: &Member<'_>| !matches!(it, Member::Attribute(it) if it.is_write_only());
    block.members().filter(is_stored).map(|it| (it.name().clone(), it)).collect()
}

impl Shape {
    /// Returns the shape of the states of a schema.
    pub(super) fn of(block: &Block) -> Shape {
        let stored = |now: Member<'_>| StoredAttribute {
            content: content(now),
            nullable: can_store_null(now),
            removed: false,
        };
        Shape(stored_members(block).into_iter().map(|(name, now)| (name, stored(now))).collect())
    }

    /// Merges two shapes of the same version. States of either shape exist, and `later` can read all of them.
    pub(super) fn joined(&self, later: &Shape) -> Shape {
        let mut all = later.clone();
        for (name, stored) in &mut all.0 {
            // An attribute that the earlier shape does not always have may be missing in an older state.
            let Some(before) = self.0.get(name) else {
                stored.nullable = true;
                continue;
            };
            stored.nullable |= before.nullable || before.removed;
            if let (Content::Objects(_, inside), Content::Objects(_, before)) =
                (&mut stored.content, &before.content)
            {
                *inside = before.joined(inside);
            }
        }
        for (name, before) in &self.0 {
            all.0.entry(name.clone()).or_insert_with(|| StoredAttribute { removed: true, ..before.clone() });
        }
        all
    }

    /// Returns the paths at which the schema cannot read states of this shape, with the reasons. UpgradeResourceState
    /// reads a state of the schema's own version in this way.
    pub(super) fn incompatibilities(&self, block: &Block, path: &Path) -> Vec<(Path, String)> {
        let current = stored_members(block);
        let mut found = Vec::new();
        // Exactly one variant of a choice is set. If that variant is removed, none is set.
        for name in self.0.keys().filter(|it| block.is_choice() && !current.contains_key(*it)) {
            found.push((
                path.clone().name(name.clone()),
                "is a variant that was removed: a state that has it has no other variant".into(),
            ));
        }
        for (name, &now) in &current {
            let path = path.clone().name(name.clone());
            let Some(stored) = self.0.get(name) else {
                if !can_read_null(now) {
                    found.push((path, "is new and required, but a stored state has no value for it".into()));
                }
                continue;
            };
            if (stored.nullable || stored.removed) && !can_read_null(now) {
                found.push((path.clone(), "may be null in a stored state, but is required now".into()));
            }
            match (&stored.content, now.nested()) {
                (Content::Objects(nesting, inside), Some((now, block))) if *nesting == now => {
                    found.extend(inside.incompatibilities(block, &path));
                }
                (Content::Value(before), None) if matches!(&content(now), Content::Value(now) if can_read(before, now)) =>
                    {}
                (before, _) => {
                    let problem = format!("was {}, but is {} now", before.text(), content(now).text());
                    found.push((path, problem));
                }
            }
        }
        found
    }
}

impl Content {
    pub(super) fn text(&self) -> String {
        match self {
            Content::Value(ty) => ty.to_string(),
            Content::Objects(nesting, _) => objects(*nesting).to_owned(),
        }
    }
}

pub(super) const NESTINGS: [Nesting; 4] = [Nesting::Single, Nesting::List, Nesting::Set, Nesting::Map];

/// Returns the name of a nesting mode in the lock file.
pub(super) fn objects(nesting: Nesting) -> &'static str {
    match nesting {
        Nesting::Single => "an object",
        Nesting::List => "a list of objects",
        Nesting::Set => "a set of objects",
        Nesting::Map => "a map of objects",
    }
}

/// Returns true if every stored value of one type can be read as the other type without loss. A number or a bool can be
/// read as a string.
fn can_read(stored: &Type, now: &Type) -> bool {
    match (stored, now) {
        (Type::Number | Type::Bool, Type::String) => true,
        (Type::List(stored), Type::List(now))
        | (Type::Set(stored), Type::Set(now))
        | (Type::Map(stored), Type::Map(now)) => can_read(stored, now),
        (Type::Tuple(stored), Type::Tuple(now)) => {
            stored.len() == now.len()
                && stored.iter().zip(now.iter()).all(|(stored, now)| can_read(stored, now))
        }
        (Type::Object(stored), Type::Object(now)) => now
            .attributes()
            .iter()
            .all(|now| stored.get(&now.name).is_some_and(|it| can_read(&it.ty, &now.ty))),
        _ => stored == now,
    }
}
