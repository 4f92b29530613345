//! Random schemas.

use std::fmt;

use ferroform::schema::{Attribute, AttributeExt as _, Block, Mode, Nested, Nesting};
use ferroform::value::Type;

use crate::behavior::{Behavior, CaseInsensitive, GROUPS};
use crate::rng::Rng;

/// An attribute, or a nested block.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The index among the fields of its object.
    pub(crate) index: usize,
    pub(crate) kind: Kind,
    pub(crate) is_block: bool,
    pub(crate) in_set: bool,
    pub(crate) mode: Mode,
    pub(crate) behaviors: Vec<Behavior>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    String,
    /// A string whose type defines its own equality.
    CaseInsensitive,
    Number,
    Bool,
    List,
    Set,
    Map,
    Objects(Nesting, Vec<Field>),
}

pub(crate) const SIMPLE: [fn() -> Kind; 9] = [
    || Kind::String,
    || Kind::String,
    || Kind::String,
    || Kind::CaseInsensitive,
    || Kind::Number,
    || Kind::Bool,
    || Kind::List,
    || Kind::Set,
    || Kind::Map,
];

/// `Optional` is more frequent, because it supports the most behaviors.
pub(crate) const MODES: [Mode; 6] =
    [Mode::Required, Mode::Optional, Mode::Optional, Mode::Optional, Mode::Computed, Mode::OptionalComputed];

/// The maximum depth of nested objects.
pub(crate) const LEVELS: u32 = 2;

pub(crate) const NESTINGS: [Nesting; 4] = [Nesting::Single, Nesting::List, Nesting::Set, Nesting::Map];

/// The context in which a field is generated.
#[derive(Clone, Copy)]
pub(crate) struct FieldContext {
    pub(crate) is_root: bool,
    pub(crate) in_set: bool,
    /// The number of further levels.
    depth: u32,
    takes_blocks: bool,
    /// The mode of the enclosing object.
    enclosing: Option<Mode>,
}

/// Returns the fields of a resource. Some schemas are invalid: the engine knows which behaviors exclude each other.
pub(crate) fn resource(rng: &mut Rng) -> Vec<Field> {
    let root =
        FieldContext { is_root: true, in_set: false, depth: LEVELS, takes_blocks: true, enclosing: None };
    fields(rng, &root)
}

fn fields(rng: &mut Rng, context: &FieldContext) -> Vec<Field> {
    let count = 1 + rng.below(4) as usize;
    (0..count).map(|index| field(rng, context, index)).collect()
}

fn field(rng: &mut Rng, context: &FieldContext, index: usize) -> Field {
    let is_nested = context.depth > 0 && rng.chance(43);
    let is_block = is_nested && context.takes_blocks && rng.chance(40);
    let mode = mode(rng, context, is_block);
    let kind = if is_nested { objects(rng, context, is_block, mode) } else { simple(rng, context, mode) };
    let in_set = context.in_set;
    let mut field = Field { index, kind, is_block, in_set, mode, behaviors: Vec::new() };
    for (percent, group) in GROUPS {
        let fitting: Vec<_> = group.iter().copied().filter(|it| it.is_valid_for(&field, context)).collect();
        if !fitting.is_empty() && rng.chance(percent) {
            field.behaviors.push(rng.one_of(&fitting));
        }
    }
    field
}

/// A computed bool in a set could make two elements equal, so it is not generated.
fn simple(rng: &mut Rng, context: &FieldContext, mode: Mode) -> Kind {
    match rng.one_of(&SIMPLE)() {
        Kind::Bool if context.in_set && mode.is_computed() => Kind::Number,
        kind => kind,
    }
}

/// The fields of a computed object are computed.
fn mode(rng: &mut Rng, context: &FieldContext, is_block: bool) -> Mode {
    use Mode::{Computed, Optional, OptionalComputed, Required};
    match context.enclosing {
        _ if is_block => rng.one_of(&[Required, Optional, Optional, Optional]),
        Some(Computed) => Computed,
        Some(OptionalComputed) => rng.one_of(&[Computed, OptionalComputed, OptionalComputed]),
        _ => rng.one_of(&MODES),
    }
}

fn objects(rng: &mut Rng, context: &FieldContext, is_block: bool, mode: Mode) -> Kind {
    let nesting = rng.one_of(&NESTINGS);
    let inside = FieldContext {
        is_root: false,
        in_set: context.in_set || nesting == Nesting::Set,
        depth: context.depth - 1,
        takes_blocks: is_block,
        enclosing: Some(mode),
    };
    Kind::Objects(nesting, fields(rng, &inside))
}

pub(crate) fn name(index: usize) -> String {
    format!("a{index}")
}

/// Returns the schema of an object with these fields.
pub(crate) fn block(fields: &[Field]) -> Block {
    fields.iter().fold(Block::new(), |block, it| {
        let is_followed = fields.get(it.index + 1).is_some_and(|follower| follower.has(Behavior::Follows));
        match it.is_block {
            true => block.block(it.attribute()),
            false if it.has(Behavior::WriteOnly) && is_followed => {
                block.attribute(it.attribute().fingerprint())
            }
            false => block.attribute(it.attribute()),
        }
    })
}

impl Field {
    pub(crate) fn name(&self) -> String {
        name(self.index)
    }

    pub(crate) fn has(&self, behavior: Behavior) -> bool {
        self.behaviors.contains(&behavior)
    }

    pub(crate) fn is_nested(&self) -> bool {
        matches!(self.kind, Kind::Objects(..))
    }

    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::String | Kind::CaseInsensitive | Kind::Number | Kind::Bool)
    }

    /// Returns true if a configuration must set the field. Repeated blocks can be omitted.
    pub(crate) fn is_required(&self) -> bool {
        let may_be_none = self.is_block && !matches!(self.kind, Kind::Objects(Nesting::Single, _));
        self.mode == Mode::Required && !may_be_none
    }

    pub(crate) fn is_nullable(&self) -> bool {
        !self.is_block && self.mode != Mode::Required
    }

    /// Returns true if the provider sets the field or a part of it.
    pub(crate) fn is_written(&self) -> bool {
        let inside = matches!(&self.kind, Kind::Objects(_, inside) if inside.iter().any(Field::is_written));
        let by_default = self.has(Behavior::Default) || self.has(Behavior::DefaultWith);
        inside || by_default || self.mode.is_computed()
    }

    fn attribute(&self) -> Attribute {
        let attribute = self.of_kind().with_mode(self.mode);
        self.behaviors.iter().fold(attribute, |it, behavior| behavior.add_to(self, it))
    }

    fn of_kind(&self) -> Attribute {
        let raw = |ty| Attribute::raw(self.name(), ty);
        match &self.kind {
            Kind::String => raw(Type::String),
            Kind::CaseInsensitive if self.mode == Mode::Required => {
                Attribute::of::<CaseInsensitive>(self.name())
            }
            Kind::CaseInsensitive => Attribute::of::<Option<CaseInsensitive>>(self.name()),
            Kind::Number => raw(Type::Number),
            Kind::Bool => raw(Type::Bool),
            Kind::List => raw(Type::list(Type::String)),
            Kind::Set => raw(Type::set(Type::String)),
            Kind::Map => raw(Type::map(Type::String)),
            Kind::Objects(nesting, inside) => {
                Attribute::raw_nested(self.name(), Nested::new(*nesting, block(inside)))
            }
        }
    }
}

pub(crate) fn kind_name(kind: &Kind, is_block: bool) -> String {
    match kind {
        Kind::Objects(nesting, _) if is_block => format!("block {nesting:?}"),
        Kind::Objects(nesting, _) => format!("nested {nesting:?}"),
        simple => format!("{simple:?}"),
    }
}

/// Prints one line for each field, followed by those of its nested objects.
pub(crate) struct SchemaSource<'a>(pub(crate) &'a [Field]);

impl fmt::Display for SchemaSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fields(f, self.0, 1)
    }
}

fn write_fields(f: &mut fmt::Formatter<'_>, fields: &[Field], depth: usize) -> fmt::Result {
    for it in fields {
        write!(f, "{:1$}{2}: ", "", 2 * depth, it.name())?;
        write!(f, "{} {:?}", kind_name(&it.kind, it.is_block), it.mode)?;
        it.behaviors.iter().try_for_each(|it| write!(f, " {it:?}"))?;
        writeln!(f)?;
        if let Kind::Objects(_, inside) = &it.kind {
            write_fields(f, inside, depth + 1)?;
        }
    }
    Ok(())
}
