//! Reading large values without a syntax tree.
//!
//! The syntax tree of a list of small objects takes about forty times the memory of its source. A variables file
//! consists mostly of constants, brackets and separators, so these are read directly: [`skip`] checks the syntax when a
//! file is parsed, and [`read`] and [`Shape::read`] create the value when it is needed. Everything else, such as a
//! template or an error, is left to the parser: all functions return `None` in these cases.

mod json;
mod native;
mod shape;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use ferroform_value::{NfcString, Type, Typed, Value};

pub(crate) use self::json::JsonSource;
pub(crate) use self::native::{NativeSource, skip_native};
pub(crate) use self::shape::Shape;

/// The maximum number of elements and attributes of a value, at all depths. It is the limit of values in the plugin
/// protocol.
pub const MAX_ELEMENTS: usize = 4_000_000;

/// The start of a value.
pub(crate) enum Start {
    /// A tuple. [`Source::element`] continues.
    Sequence,
    /// An object. [`Source::key`] continues.
    Mapping,
    /// A complete value.
    Value(Typed),
}

/// A source of values: the tokens of HCL or of JSON. All methods return `None` if the parser has to read the value.
pub(crate) trait Source {
    /// True if a key can occur more than once. The last one takes precedence.
    const ALLOWS_DUPLICATES: bool;

    /// Reads the start of a value.
    fn start(&mut self) -> Option<Start>;

    /// Advances to the next element of a tuple; returns false after the last one.
    fn element(&mut self, is_first: bool) -> Option<bool>;

    /// Advances to the next attribute of an object and returns its name; `Some(None)` after the last one.
    fn key(&mut self, is_first: bool) -> Option<Option<NfcString>>;
}

/// Reads a value without keeping it, and counts its elements and attributes.
pub(crate) fn skip(source: &mut impl Source, elements: &mut usize) -> Option<()> {
    let mut is_first = true;
    match source.start()? {
        Start::Value(_) => {}
        Start::Sequence => {
            while source.element(std::mem::take(&mut is_first))? {
                *elements += 1;
                skip(source, elements)?;
            }
        }
        Start::Mapping => {
            while source.key(std::mem::take(&mut is_first))?.is_some() {
                *elements += 1;
                skip(source, elements)?;
            }
        }
    }
    (*elements <= MAX_ELEMENTS).then_some(())
}

/// Reads a value without a type constraint.
pub(crate) fn read(source: &mut impl Source) -> Option<Typed> {
    Untyped::default().read(source)
}

/// Creates values without a type constraint. Adjacent elements of the same type share it, and all objects share the
/// names of their attributes.
#[derive(Default)]
struct Untyped {
    names: HashSet<Arc<str>>,
}

impl Untyped {
    fn read<S: Source>(&mut self, source: &mut S) -> Option<Typed> {
        let mut is_first = true;
        match source.start()? {
            Start::Value(it) => Some(it),
            Start::Sequence => {
                let mut types: Vec<Type> = Vec::new();
                let mut values = Vec::new();
                while source.element(std::mem::take(&mut is_first))? {
                    let it = self.read(source)?;
                    let shared = types.last().filter(|last| **last == it.ty).cloned();
                    types.push(shared.unwrap_or(it.ty));
                    values.push(it.value);
                }
                Some(Typed::new(Type::tuple(types), Value::Tuple(values)))
            }
            Start::Mapping => {
                let mut attributes = BTreeMap::new();
                while let Some(key) = source.key(std::mem::take(&mut is_first))? {
                    let name = self.name(key);
                    let value = self.read(source)?;
                    if attributes.insert(name, value).is_some() && !S::ALLOWS_DUPLICATES {
                        return None;
                    }
                }
                Some(Typed::object(attributes))
            }
        }
    }

    fn name(&mut self, key: NfcString) -> Arc<str> {
        if let Some(name) = self.names.get(&*key) {
            return name.clone();
        }
        let name: Arc<str> = key.into();
        self.names.insert(name.clone());
        name
    }
}
