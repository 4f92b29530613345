//! Configurations at random, of which parts may be unknown at first.

use std::fmt;

use ferroform::schema::Nesting;
use ferroform_testing::{Configuration, Literal, unknown};

use crate::behaviour::Behaviour;
use crate::dice::Dice;
use crate::mutation::mutated;
use crate::schema::{Field, Kind};

/// Few, so that what is written in two places is often the same, or means it.
pub(crate) const TEXTS: [&str; 6] = ["", "a", "A", "b", "B", "c"];
pub(crate) const KEYS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
pub(crate) const LABELS: [&str; 3] = ["k", "l", "m"];

/// What a configuration says at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Text(&'static str),
    Number(u64),
    Bool(bool),
    Unknown,
    List(Vec<Said>),
    Map(Vec<(&'static str, Said)>),
    Object(Object),
}

/// What it says of each field that it can set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object(pub(crate) Vec<Entry>);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) is_block: bool,
    /// None where it is left out.
    pub(crate) said: Option<Said>,
}

/// A configuration. Where there was another `before`, it is mostly that one, slightly changed; else half of it stays.
pub(crate) fn any(dice: &mut Dice, fields: &[Field], before: Option<&Object>) -> Object {
    if let Some(before) = before.filter(|_| dice.chance(65)) {
        return mutated(dice, fields, before);
    }
    let mut made = object(dice, fields, None);
    if let Some(before) = before {
        for (new, old) in made.0.iter_mut().zip(&before.0) {
            if dice.chance(50) {
                *new = old.clone();
            }
        }
    }
    made
}

/// The object with the key of that number, where it has one: elements with the same key are paired in their order,
/// which depends on what is unknown (DESIGN.md, "Pairing may not depend on what is unknown").
pub(crate) fn object(dice: &mut Dice, fields: &[Field], key: Option<usize>) -> Object {
    let configurable = fields.iter().filter(|it| it.mode.is_configurable());
    Object(configurable.map(|it| entry(dice, it, key.filter(|_| it.says(Behaviour::Key)))).collect())
}

pub(crate) fn entry(dice: &mut Dice, field: &Field, key: Option<usize>) -> Entry {
    let is_said = field.is_required() || key.is_some() || dice.chance(60);
    let said = is_said.then(|| match key {
        Some(key) => key_of(field, key),
        None => value(dice, &field.kind),
    });
    Entry { name: field.name(), is_block: field.is_block, said }
}

pub(crate) fn key_of(field: &Field, key: usize) -> Said {
    match field.kind {
        Kind::Number => Said::Number(key as u64),
        _ => Said::Text(KEYS[key]),
    }
}

pub(crate) fn value(dice: &mut Dice, kind: &Kind) -> Said {
    match kind {
        Kind::Text | Kind::AnyCase => Said::Text(dice.one_of(&TEXTS)),
        Kind::Number => Said::Number(dice.below(3)),
        Kind::Bool => Said::Bool(dice.chance(50)),
        Kind::List | Kind::Set => {
            Said::List((0..dice.below(3)).map(|_| Said::Text(dice.one_of(&TEXTS))).collect())
        }
        Kind::Map => labeled_block(dice, |dice| Said::Text(dice.one_of(&TEXTS))),
        Kind::Objects(Nesting::Single, inside) => Said::Object(object(dice, inside, None)),
        Kind::Objects(Nesting::Map, inside) => {
            labeled_block(dice, |dice| Said::Object(object(dice, inside, None)))
        }
        Kind::Objects(Nesting::List | Nesting::Set, inside) => {
            let (count, first_key) = (dice.below(4) as usize, dice.below(6) as usize);
            let keys = (first_key..first_key + count).map(|it| it % KEYS.len());
            Said::List(keys.map(|key| Said::Object(object(dice, inside, Some(key)))).collect())
        }
    }
}

fn labeled_block(dice: &mut Dice, mut value: impl FnMut(&mut Dice) -> Said) -> Said {
    let count = dice.below(3) as usize;
    Said::Map(LABELS.iter().take(count).map(|it| (*it, value(dice))).collect())
}

impl Object {
    /// The same while parts of it are not known yet: each with this chance, parts of collections with half of it.
    pub(crate) fn at_first(&self, dice: &mut Dice, percent: u64) -> Object {
        Object(self.0.iter().map(|it| it.at_first(dice, percent)).collect())
    }

    /// What it says of the field; none where it leaves it out, or cannot set it.
    pub(crate) fn get(&self, name: &str) -> Option<&Said> {
        self.0.iter().find(|it| it.name == name)?.said.as_ref()
    }

    pub(crate) fn configuration(&self) -> Configuration {
        self.0.iter().fold(Configuration::new(), |all, it| it.add_to(all))
    }
}

impl Entry {
    /// What is left out may be unknown too, and turn out to be null.
    fn at_first(&self, dice: &mut Dice, percent: u64) -> Entry {
        let chance = if self.said.is_some() { percent } else { percent / 4 };
        let said = match !self.is_block && dice.chance(chance) {
            true => Some(Said::Unknown),
            // The number of blocks is always known: core asks again once it is.
            false => self.said.as_ref().map(|it| it.at_first(dice, percent, self.is_block)),
        };
        Entry { said, ..self.clone() }
    }

    fn add_to(&self, all: Configuration) -> Configuration {
        match &self.said {
            None => all,
            Some(Said::List(blocks)) if self.is_block => {
                blocks.iter().fold(all, |all, it| all.block(&self.name, it.configuration()))
            }
            Some(Said::Map(blocks)) if self.is_block => blocks
                .iter()
                .fold(all, |all, (label, it)| all.labeled_block(&self.name, *label, it.configuration())),
            Some(it) if self.is_block => all.block(&self.name, it.configuration()),
            Some(it) => all.set(&self.name, it.literal()),
        }
    }
}

impl Said {
    fn at_first(&self, dice: &mut Dice, percent: u64, are_blocks: bool) -> Said {
        let mut part = |it: &Said| match !are_blocks && dice.chance(percent / 2) {
            true => Said::Unknown,
            false => it.at_first(dice, percent, false),
        };
        match self {
            Said::List(it) => Said::List(it.iter().map(part).collect()),
            Said::Map(it) => Said::Map(it.iter().map(|(label, it)| (*label, part(it))).collect()),
            Said::Object(it) => Said::Object(it.at_first(dice, percent)),
            simple => simple.clone(),
        }
    }

    fn literal(&self) -> Literal {
        match self {
            Said::Text(it) => (*it).into(),
            Said::Number(it) => (*it).into(),
            Said::Bool(it) => (*it).into(),
            Said::Unknown => unknown(),
            Said::List(it) => Literal::Tuple(it.iter().map(Said::literal).collect()),
            Said::Map(_) | Said::Object(_) => Literal::Object(self.configuration()),
        }
    }

    /// What stands in its braces.
    fn configuration(&self) -> Configuration {
        match self {
            Said::Map(it) => {
                it.iter().fold(Configuration::new(), |all, (label, it)| all.set(*label, it.literal()))
            }
            Said::Object(it) => it.configuration(),
            _ => unreachable!("only a map and an object have braces"),
        }
    }
}

/// As `config!` takes it.
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ ")?;
        for it in &self.0 {
            match &it.said {
                None => {}
                Some(Said::List(blocks)) if it.is_block => {
                    blocks.iter().try_for_each(|block| write!(f, "{} {block}, ", it.name))?;
                }
                Some(Said::Map(blocks)) if it.is_block => {
                    blocks
                        .iter()
                        .try_for_each(|(label, block)| write!(f, "{} {label:?} {block}, ", it.name))?;
                }
                Some(block) if it.is_block => write!(f, "{} {block}, ", it.name)?,
                Some(said) => write!(f, "{} = {said}, ", it.name)?,
            }
        }
        f.write_str("}")
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Text(it) => write!(f, "{it:?}"),
            Said::Number(it) => write!(f, "{it}"),
            Said::Bool(it) => write!(f, "{it}"),
            Said::Unknown => f.write_str("unknown()"),
            Said::Object(it) => write!(f, "{it}"),
            Said::List(it) => {
                f.write_str("[")?;
                it.iter().try_for_each(|it| write!(f, "{it}, "))?;
                f.write_str("]")
            }
            Said::Map(it) => {
                f.write_str("{ ")?;
                it.iter().try_for_each(|(label, it)| write!(f, "{label} = {it}, "))?;
                f.write_str("}")
            }
        }
    }
}
