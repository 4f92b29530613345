//! A schema at random.

use std::fmt;

use ferroform::schema::{Attribute, AttributeExt as _, Block, Mode, Nested, Nesting};
use ferroform::value::Type;

use crate::behaviour::{AnyCase, Behavior, GROUPS};
use crate::dice::Dice;

/// An attribute, or a nested block.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Which one of its object it is.
    pub(crate) index: usize,
    pub(crate) kind: Kind,
    pub(crate) is_block: bool,
    pub(crate) in_set: bool,
    pub(crate) mode: Mode,
    pub(crate) behaviours: Vec<Behavior>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Text,
    /// A text whose type has an equality of its own.
    AnyCase,
    Number,
    Bool,
    List,
    Set,
    Map,
    Objects(Nesting, Vec<Field>),
}

pub(crate) const SIMPLE: [fn() -> Kind; 9] = [
    || Kind::Text,
    || Kind::Text,
    || Kind::Text,
    || Kind::AnyCase,
    || Kind::Number,
    || Kind::Bool,
    || Kind::List,
    || Kind::Set,
    || Kind::Map,
];

/// Those that are optional come up more often, because more can be said of them.
pub(crate) const MODES: [Mode; 6] =
    [Mode::Required, Mode::Optional, Mode::Optional, Mode::Optional, Mode::Computed, Mode::OptionalComputed];

/// How deep objects stand in one another.
pub(crate) const LEVELS: u32 = 2;

pub(crate) const NESTINGS: [Nesting; 4] = [Nesting::Single, Nesting::List, Nesting::Set, Nesting::Map];

/// Where a field stands.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) is_root: bool,
    pub(crate) in_set: bool,
    /// How many levels there may be below.
    depth: u32,
    takes_blocks: bool,
    /// Who writes the object around it.
    around: Option<Mode>,
}

/// The fields of a resource. Some schemas have faults: what must not be said together is the engine's to know.
pub(crate) fn resource(dice: &mut Dice) -> Vec<Field> {
    let root = Place { is_root: true, in_set: false, depth: LEVELS, takes_blocks: true, around: None };
    fields(dice, &root)
}

fn fields(dice: &mut Dice, place: &Place) -> Vec<Field> {
    let count = 1 + dice.below(4) as usize;
    (0..count).map(|index| field(dice, place, index)).collect()
}

fn field(dice: &mut Dice, place: &Place, index: usize) -> Field {
    let is_nested = place.depth > 0 && dice.chance(43);
    let is_block = is_nested && place.takes_blocks && dice.chance(40);
    let mode = mode(dice, place, is_block);
    let kind = if is_nested { objects(dice, place, is_block, mode) } else { simple(dice, place, mode) };
    let in_set = place.in_set;
    let mut field = Field { index, kind, is_block, in_set, mode, behaviours: Vec::new() };
    for (percent, group) in GROUPS {
        let fitting: Vec<_> = group.iter().copied().filter(|it| it.fits(&field, place)).collect();
        if !fitting.is_empty() && dice.chance(percent) {
            field.behaviours.push(dice.one_of(&fitting));
        }
    }
    field
}

/// In a set the provider writes no bool: there are only two, and with one that another element has, they may be the same.
fn simple(dice: &mut Dice, place: &Place, mode: Mode) -> Kind {
    match dice.one_of(&SIMPLE)() {
        Kind::Bool if place.in_set && mode.is_computed() => Kind::Number,
        kind => kind,
    }
}

/// What is inside of a computed object is the provider's too.
fn mode(dice: &mut Dice, place: &Place, is_block: bool) -> Mode {
    use Mode::{Computed, Optional, OptionalComputed, Required};
    match place.around {
        _ if is_block => dice.one_of(&[Required, Optional, Optional, Optional]),
        Some(Computed) => Computed,
        Some(OptionalComputed) => dice.one_of(&[Computed, OptionalComputed, OptionalComputed]),
        _ => dice.one_of(&MODES),
    }
}

fn objects(dice: &mut Dice, place: &Place, is_block: bool, mode: Mode) -> Kind {
    let nesting = dice.one_of(&NESTINGS);
    let inside = Place {
        is_root: false,
        in_set: place.in_set || nesting == Nesting::Set,
        depth: place.depth - 1,
        takes_blocks: is_block,
        around: Some(mode),
    };
    Kind::Objects(nesting, fields(dice, &inside))
}

pub(crate) fn name(index: usize) -> String {
    format!("a{index}")
}

/// The schema of an object with these fields.
pub(crate) fn block(fields: &[Field]) -> Block {
    fields.iter().fold(Block::new(), |block, it| match it.is_block {
        true => block.block(it.attribute()),
        false => block.attribute(it.attribute()),
    })
}

impl Field {
    pub(crate) fn name(&self) -> String {
        name(self.index)
    }

    pub(crate) fn says(&self, behaviour: Behavior) -> bool {
        self.behaviours.contains(&behaviour)
    }

    pub(crate) fn is_nested(&self) -> bool {
        matches!(self.kind, Kind::Objects(..))
    }

    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::AnyCase | Kind::Number | Kind::Bool)
    }

    /// True where the configuration cannot leave it out. Of blocks that are many there may be none.
    pub(crate) fn is_required(&self) -> bool {
        let may_be_none = self.is_block && !matches!(self.kind, Kind::Objects(Nesting::Single, _));
        self.mode == Mode::Required && !may_be_none
    }

    pub(crate) fn is_nullable(&self) -> bool {
        !self.is_block && self.mode != Mode::Required
    }

    /// True where the provider writes it, or a part of it.
    pub(crate) fn is_written(&self) -> bool {
        let inside = matches!(&self.kind, Kind::Objects(_, inside) if inside.iter().any(Field::is_written));
        let by_default = self.says(Behavior::Default) || self.says(Behavior::DefaultWith);
        inside || by_default || self.mode.is_computed()
    }

    fn attribute(&self) -> Attribute {
        let made = self.of_kind().mode(self.mode);
        self.behaviours.iter().fold(made, |it, behaviour| behaviour.say(self, it))
    }

    fn of_kind(&self) -> Attribute {
        let raw = |ty| Attribute::raw(self.name(), ty);
        match &self.kind {
            Kind::Text => raw(Type::String),
            Kind::AnyCase if self.mode == Mode::Required => Attribute::of::<AnyCase>(self.name()),
            Kind::AnyCase => Attribute::of::<Option<AnyCase>>(self.name()),
            Kind::Number => raw(Type::Number),
            Kind::Bool => raw(Type::Bool),
            Kind::List => raw(Type::list(Type::String)),
            Kind::Set => raw(Type::set(Type::String)),
            Kind::Map => raw(Type::map(Type::String)),
            Kind::Objects(nesting, inside) => {
                Attribute::raw_nested(self.name(), Nested { nesting: *nesting, block: block(inside) })
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

/// A line for each field, those of nested objects below it.
pub(crate) struct Shown<'a>(pub(crate) &'a [Field]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, self.0, 1)
    }
}

fn show(f: &mut fmt::Formatter<'_>, fields: &[Field], depth: usize) -> fmt::Result {
    for it in fields {
        write!(f, "{:1$}{2}: ", "", 2 * depth, it.name())?;
        write!(f, "{} {:?}", kind_name(&it.kind, it.is_block), it.mode)?;
        it.behaviours.iter().try_for_each(|it| write!(f, " {it:?}"))?;
        writeln!(f)?;
        if let Kind::Objects(_, inside) = &it.kind {
            show(f, inside, depth + 1)?;
        }
    }
    Ok(())
}
