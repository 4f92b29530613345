//! What states of one version may hold, and whether a schema reads it.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform::schema::{Attribute, Block, Mode, NestedBlock, Nesting};
use ferroform::value::{Path, Type};

/// The attributes of an object, as states hold them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape(pub(super) BTreeMap<Arc<str>, Part>);

/// One attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) holds: Holds,
    /// A state may hold null there, or nothing at all.
    pub(super) nullable: bool,
    /// The current schema does not have it; states may.
    pub(super) gone: bool,
}

/// What stands in an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Holds {
    Value(Type),
    Objects(Nesting, Shape),
}

/// An attribute or block of the current schema.
enum Now<'a> {
    Attribute(&'a Attribute),
    Block(&'a NestedBlock),
}

impl Now<'_> {
    fn nested(&self) -> Option<(Nesting, &Block)> {
        match self {
            Now::Attribute(it) => it.nested.as_ref().map(|it| (it.nesting, &it.block)),
            Now::Block(it) => Some((it.nesting, &it.block)),
        }
    }

    fn holds(&self) -> Holds {
        match (self.nested(), self) {
            (Some((nesting, block)), _) => Holds::Objects(nesting, Shape::of(block)),
            (None, Now::Attribute(it)) => Holds::Value(it.ty.without_optional()),
            (None, Now::Block(it)) => Holds::Value(it.ty()),
        }
    }

    /// True where null may be stored.
    fn stores_null(&self) -> bool {
        match self {
            Now::Attribute(it) => it.nullable && it.mode != Mode::Required,
            Now::Block(it) => it.nesting == Nesting::Single && it.nullable,
        }
    }

    /// True where a state without it is read: as null, as no block, as the default, or as something that the
    /// provider will write over when it reads the object.
    fn reads_null(&self) -> bool {
        match self {
            Now::Attribute(it) => it.nullable || it.mode.is_computed(),
            Now::Block(it) => it.nullable,
        }
    }
}

/// What is stored of the block.
fn parts(block: &Block) -> BTreeMap<Arc<str>, Now<'_>> {
    let attributes = block.attributes.iter().filter(|it| !it.write_only);
    let attributes = attributes.map(|it| (it.name.clone(), Now::Attribute(it)));
    attributes.chain(block.blocks.iter().map(|it| (it.name.clone(), Now::Block(it)))).collect()
}

impl Shape {
    /// What states of the schema may hold.
    pub(super) fn of(block: &Block) -> Shape {
        let part = |now: &Now<'_>| Part { holds: now.holds(), nullable: now.stores_null(), gone: false };
        Shape(parts(block).iter().map(|(name, now)| (name.clone(), part(now))).collect())
    }

    /// What states may hold that may be stored as this or as the other, later shape, which reads them all.
    pub(super) fn joined(&self, later: &Shape) -> Shape {
        let mut all = later.clone();
        for (name, part) in &mut all.0 {
            // What was not there, or not always, may be missing in a state that is older.
            let Some(before) = self.0.get(name) else {
                part.nullable = true;
                continue;
            };
            part.nullable |= before.nullable || before.gone;
            if let (Holds::Objects(_, inside), Holds::Objects(_, before)) = (&mut part.holds, &before.holds) {
                *inside = before.joined(inside);
            }
        }
        for (name, before) in &self.0 {
            all.0.entry(name.clone()).or_insert_with(|| Part { gone: true, ..before.clone() });
        }
        all
    }

    /// Where states of this shape are not read by the schema as they were stored, and why: what
    /// UpgradeResourceState does with a state of the schema's own version.
    pub(super) fn misfits(&self, block: &Block, place: &Path) -> Vec<(Path, String)> {
        let now = parts(block);
        let mut found = Vec::new();
        // Of an enum with data exactly one variant is set: left behind, it leaves nothing.
        for name in self.0.keys().filter(|it| block.is_choice && !now.contains_key(*it)) {
            found.push((
                place.clone().name(name.clone()),
                "is a variant that is gone: a state that has it has none of the others".into(),
            ));
        }
        for (name, now) in &now {
            let place = place.clone().name(name.clone());
            let Some(part) = self.0.get(name) else {
                if !now.reads_null() {
                    found.push((
                        place,
                        "is new and required: a state that has nothing there cannot say".into(),
                    ));
                }
                continue;
            };
            if (part.nullable || part.gone) && !now.reads_null() {
                found.push((place.clone(), "may be null in a state, and is required now".into()));
            }
            match (&part.holds, now.nested()) {
                (Holds::Objects(nesting, inside), Some((now, block))) if *nesting == now => {
                    found.extend(inside.misfits(block, &place));
                }
                (Holds::Value(before), None) if matches!(&now.holds(), Holds::Value(now) if reads(before, now)) =>
                    {}
                (before, _) => {
                    let what = format!("was {}, and is {} now", before.text(), now.holds().text());
                    found.push((place, what));
                }
            }
        }
        found
    }
}

impl Holds {
    pub(super) fn text(&self) -> String {
        match self {
            Holds::Value(ty) => ferroform_lang::type_constraint::print(ty),
            Holds::Objects(nesting, _) => objects(*nesting).to_owned(),
        }
    }
}

pub(super) const NESTINGS: [Nesting; 4] = [Nesting::Single, Nesting::List, Nesting::Set, Nesting::Map];

/// How a nesting stands in the file.
pub(super) fn objects(nesting: Nesting) -> &'static str {
    match nesting {
        Nesting::Single => "an object",
        Nesting::List => "a list of objects",
        Nesting::Set => "a set of objects",
        Nesting::Map => "a map of objects",
    }
}

/// True where every stored value of the one type is read as the same of the other: numbers and bools are texts too.
fn reads(stored: &Type, now: &Type) -> bool {
    match (stored, now) {
        (Type::Number | Type::Bool, Type::String) => true,
        (Type::List(stored), Type::List(now))
        | (Type::Set(stored), Type::Set(now))
        | (Type::Map(stored), Type::Map(now)) => reads(stored, now),
        (Type::Tuple(stored), Type::Tuple(now)) => {
            stored.len() == now.len() && stored.iter().zip(now.iter()).all(|(stored, now)| reads(stored, now))
        }
        (Type::Object(stored), Type::Object(now)) => {
            now.attributes().iter().all(|now| stored.get(&now.name).is_some_and(|it| reads(&it.ty, &now.ty)))
        }
        _ => stored == now,
    }
}
