//! Random configurations, with and without unknown values.

use std::fmt;

use ferroform::schema::Nesting;
use ferroform_testing::{Configuration, Literal, unknown};

use crate::behavior::Behavior;
use crate::mutation::mutated;
use crate::rng::Rng;
use crate::schema::{Field, Kind};

/// A small number of strings, so that two values are often equal or semantically equal.
pub(crate) const STRINGS: [&str; 6] = ["", "a", "A", "b", "B", "c"];
pub(crate) const KEYS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
pub(crate) const LABELS: [&str; 3] = ["k", "l", "m"];

/// A configured value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ConfigValue {
    String(&'static str),
    Number(u64),
    Bool(bool),
    Unknown,
    List(Vec<ConfigValue>),
    Map(Vec<(&'static str, ConfigValue)>),
    Object(Object),
}

/// The entries of a configured object, one for each configurable field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object(pub(crate) Vec<Entry>);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) is_block: bool,
    /// `None` if it is omitted.
    pub(crate) configured: Option<ConfigValue>,
}

/// Returns a random configuration. With a previous configuration, it is mostly a mutation of it, and otherwise one that
/// keeps half of its entries.
pub(crate) fn any(rng: &mut Rng, fields: &[Field], before: Option<&Object>) -> Object {
    if let Some(before) = before.filter(|_| rng.chance(65)) {
        return mutated(rng, fields, before);
    }
    let mut config = object(rng, fields, None);
    if let Some(before) = before {
        for (new, old) in config.0.iter_mut().zip(&before.0) {
            if rng.chance(50) {
                *new = old.clone();
            }
        }
    }
    config
}

/// Returns a random object. If it has key fields, `key` determines their values: elements with equal keys are ambiguous (see
/// `docs/element-matching.md`).
pub(crate) fn object(rng: &mut Rng, fields: &[Field], key: Option<usize>) -> Object {
    let configurable = fields.iter().filter(|it| it.mode.is_configurable());
    Object(configurable.map(|it| entry(rng, it, key.filter(|_| it.has(Behavior::Key)))).collect())
}

pub(crate) fn entry(rng: &mut Rng, field: &Field, key: Option<usize>) -> Entry {
    let is_configured = field.is_required() || key.is_some() || rng.chance(60);
    let configured = is_configured.then(|| match key {
        Some(key) => key_of(field, key),
        None => value(rng, &field.kind),
    });
    Entry { name: field.name(), is_block: field.is_block, configured }
}

pub(crate) fn key_of(field: &Field, key: usize) -> ConfigValue {
    match field.kind {
        Kind::Number => ConfigValue::Number(key as u64),
        _ => ConfigValue::String(KEYS[key]),
    }
}

pub(crate) fn value(rng: &mut Rng, kind: &Kind) -> ConfigValue {
    match kind {
        Kind::String | Kind::CaseInsensitive => ConfigValue::String(rng.one_of(&STRINGS)),
        Kind::Number => ConfigValue::Number(rng.below(3)),
        Kind::Bool => ConfigValue::Bool(rng.chance(50)),
        Kind::List | Kind::Set => {
            ConfigValue::List((0..rng.below(3)).map(|_| ConfigValue::String(rng.one_of(&STRINGS))).collect())
        }
        Kind::Map => labeled_block(rng, |rng| ConfigValue::String(rng.one_of(&STRINGS))),
        Kind::Objects(Nesting::Single, inside) => ConfigValue::Object(object(rng, inside, None)),
        Kind::Objects(Nesting::Map, inside) => {
            labeled_block(rng, |rng| ConfigValue::Object(object(rng, inside, None)))
        }
        Kind::Objects(Nesting::List | Nesting::Set, inside) => {
            let (count, first_key) = (rng.below(4) as usize, rng.below(6) as usize);
            let keys = (first_key..first_key + count).map(|it| it % KEYS.len());
            ConfigValue::List(keys.map(|key| ConfigValue::Object(object(rng, inside, Some(key)))).collect())
        }
    }
}

fn labeled_block(rng: &mut Rng, mut value: impl FnMut(&mut Rng) -> ConfigValue) -> ConfigValue {
    let count = rng.below(3) as usize;
    ConfigValue::Map(LABELS.iter().take(count).map(|it| (*it, value(rng))).collect())
}

impl Object {
    /// Replaces values by unknown ones with this probability, and elements of collections with half of it.
    pub(crate) fn with_unknowns(&self, rng: &mut Rng, percent: u64) -> Object {
        Object(self.0.iter().map(|it| it.with_unknowns(rng, percent)).collect())
    }

    /// Returns the configured value of a field; `None` if it is omitted or not configurable.
    pub(crate) fn get(&self, name: &str) -> Option<&ConfigValue> {
        self.0.iter().find(|it| it.name == name)?.configured.as_ref()
    }

    pub(crate) fn configuration(&self) -> Configuration {
        self.0.iter().fold(Configuration::new(), |all, it| it.add_to(all))
    }
}

impl Entry {
    /// Replaces the value by an unknown one. An omitted value can be unknown, too, and turn out to be null.
    fn with_unknowns(&self, rng: &mut Rng, percent: u64) -> Entry {
        let chance = if self.configured.is_some() { percent } else { percent / 4 };
        let configured = match !self.is_block && rng.chance(chance) {
            true => Some(ConfigValue::Unknown),
            // The number of blocks is known, because Terraform does not plan a resource with unknown blocks here.
            false => self.configured.as_ref().map(|it| it.with_unknowns(rng, percent, self.is_block)),
        };
        Entry { configured, ..self.clone() }
    }

    fn add_to(&self, all: Configuration) -> Configuration {
        match &self.configured {
            None => all,
            Some(ConfigValue::List(blocks)) if self.is_block => {
                blocks.iter().fold(all, |all, it| all.block(&self.name, it.configuration()))
            }
            Some(ConfigValue::Map(blocks)) if self.is_block => blocks
                .iter()
                .fold(all, |all, (label, it)| all.labeled_block(&self.name, *label, it.configuration())),
            Some(it) if self.is_block => all.block(&self.name, it.configuration()),
            Some(it) => all.set(&self.name, it.literal()),
        }
    }
}

impl ConfigValue {
    fn with_unknowns(&self, rng: &mut Rng, percent: u64, are_blocks: bool) -> ConfigValue {
        let mut part = |it: &ConfigValue| match !are_blocks && rng.chance(percent / 2) {
            true => ConfigValue::Unknown,
            false => it.with_unknowns(rng, percent, false),
        };
        match self {
            ConfigValue::List(it) => ConfigValue::List(it.iter().map(part).collect()),
            ConfigValue::Map(it) => {
                ConfigValue::Map(it.iter().map(|(label, it)| (*label, part(it))).collect())
            }
            ConfigValue::Object(it) => ConfigValue::Object(it.with_unknowns(rng, percent)),
            simple => simple.clone(),
        }
    }

    fn literal(&self) -> Literal {
        match self {
            ConfigValue::String(it) => (*it).into(),
            ConfigValue::Number(it) => (*it).into(),
            ConfigValue::Bool(it) => (*it).into(),
            ConfigValue::Unknown => unknown(),
            ConfigValue::List(it) => Literal::Tuple(it.iter().map(ConfigValue::literal).collect()),
            ConfigValue::Map(_) | ConfigValue::Object(_) => Literal::Object(self.configuration()),
        }
    }

    /// Returns the content of the braces of a map or an object.
    fn configuration(&self) -> Configuration {
        match self {
            ConfigValue::Map(it) => {
                it.iter().fold(Configuration::new(), |all, (label, it)| all.set(*label, it.literal()))
            }
            ConfigValue::Object(it) => it.configuration(),
            _ => unreachable!("only maps and objects have braces"),
        }
    }
}

/// Prints the object in the syntax of `config!`.
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ ")?;
        for it in &self.0 {
            match &it.configured {
                None => {}
                Some(ConfigValue::List(blocks)) if it.is_block => {
                    blocks.iter().try_for_each(|block| write!(f, "{} {block}, ", it.name))?;
                }
                Some(ConfigValue::Map(blocks)) if it.is_block => {
                    blocks
                        .iter()
                        .try_for_each(|(label, block)| write!(f, "{} {label:?} {block}, ", it.name))?;
                }
                Some(block) if it.is_block => write!(f, "{} {block}, ", it.name)?,
                Some(configured) => write!(f, "{} = {configured}, ", it.name)?,
            }
        }
        f.write_str("}")
    }
}

impl fmt::Display for ConfigValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigValue::String(it) => write!(f, "{it:?}"),
            ConfigValue::Number(it) => write!(f, "{it}"),
            ConfigValue::Bool(it) => write!(f, "{it}"),
            ConfigValue::Unknown => f.write_str("unknown()"),
            ConfigValue::Object(it) => write!(f, "{it}"),
            ConfigValue::List(it) => {
                f.write_str("[")?;
                it.iter().try_for_each(|it| write!(f, "{it}, "))?;
                f.write_str("]")
            }
            ConfigValue::Map(it) => {
                f.write_str("{ ")?;
                it.iter().try_for_each(|(label, it)| write!(f, "{label} = {it}, "))?;
                f.write_str("}")
            }
        }
    }
}
