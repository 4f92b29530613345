//! Timeouts in a schema: an attribute or a block that holds the limits of operations.

use std::sync::Arc;
use std::time::Duration;

use ferroform_value::{Error, Path, Type, Value};

use super::{Attribute, Block, Mode, NativeType, Nested};
use crate::timeouts::{Limits, Operation, USUAL, parse, text};
use crate::type_mismatch::mismatch;

/// The schema inside an attribute or block of timeouts.
fn block_of(limits: &Limits) -> Block {
    let attribute = |operation: Operation| {
        let time = limits.time(operation, &|_| None).unwrap_or(USUAL);
        duration(operation.name()).description(operation.description(time))
    };
    let attributes = limits.operations().map(attribute).collect();
    Block { attributes, limits: Some(limits.clone()), ..Block::new() }
}

/// An optional attribute that holds a duration.
fn duration(name: &str) -> Attribute {
    static DURATION: NativeType = NativeType {
        reads: is_duration,
        configures: is_duration,
        placeholder: || Value::Null,
        keep: |known, new| if canonical(known) == canonical(new) { known.clone() } else { new.clone() },
        canonical,
        is_lax: true,
        about: "",
    };
    let mut made = Attribute::raw(name, Type::String).optional();
    made.native = Some(&DURATION);
    made
}

/// The duration as Ferroform prints it: `60m` and `1h` are semantically equal.
fn canonical(value: &Value) -> Value {
    let duration = value.as_str().and_then(|it| parse(it).ok());
    duration.map_or_else(|| value.clone(), |it| text(it).into())
}

/// Reports why a value is not a duration. Null and unknown are accepted.
fn is_duration(value: &Value) -> Result<(), Error> {
    match value.without_type() {
        Value::Null | Value::Unknown(_) => Ok(()),
        Value::String(given) => {
            parse(given).map(drop).map_err(|wanted| Error::invalid_value(wanted, format_args!("{given:?}")))
        }
        other => Err(mismatch("a string", other)),
    }
}

impl Attribute {
    /// The timeouts of these operations: an optional nested attribute, or with [`Block::block`] a block.
    ///
    /// They stand at the root of a resource or data source. A change of them alone changes nothing but the state.
    pub fn timeouts(name: impl Into<Arc<str>>, limits: Limits) -> Attribute {
        Attribute::raw_nested(name, Nested::single(block_of(&limits)))
            .mode(Mode::Optional)
            .description("How long operations may take.")
    }
}

/// The limit of one call.
#[derive(Clone, Debug)]
pub struct Limit {
    /// How long the operation may take.
    pub duration: Duration,
    operation: Operation,
    /// The attribute or block of timeouts.
    timeouts: Arc<str>,
    is_block: bool,
}

impl Limit {
    /// What to write for more time.
    pub fn advice(&self) -> String {
        let Limit { timeouts, operation, .. } = self;
        let (is, name, more) =
            (if self.is_block { "" } else { "= " }, operation.name(), text(self.duration.saturating_mul(2)));
        format!("To give it more time, write for example: {timeouts} {is}{{ {name} = {more:?} }}")
    }

    /// Where to write it.
    pub fn place(&self) -> Path {
        Path::attribute(self.timeouts.clone()).name(self.operation.name())
    }
}

/// The timeouts of a schema: their name, operations, and whether they are a block.
pub(super) fn find(block: &Block) -> Option<(&Arc<str>, &Limits, bool)> {
    let attributes =
        block.attributes.iter().filter_map(|it| Some((&it.name, &it.nested.as_ref()?.block, false)));
    let blocks = block.blocks.iter().map(|it| (&it.name, &it.block, true));
    attributes
        .chain(blocks)
        .find_map(|(name, block, is_block)| Some((name, block.limits.as_ref()?, is_block)))
}

/// The name of the timeouts in a schema, where it has some.
pub fn name(block: &Block) -> Option<&str> {
    find(block).map(|(name, ..)| &**name)
}

/// The limit of an operation, as an object says: the configuration, a plan or a state.
pub fn limit(block: &Block, operation: Operation, object: &Value) -> Option<Limit> {
    let (name, limits, is_block) = find(block)?;
    let set = |operation: Operation| {
        let value = object.attribute(name)?.attribute(operation.name())?;
        // What an older provider has stored may be no duration.
        parse(value.as_str()?).ok()
    };
    let duration = limits.time(operation, &set)?;
    let operation = if limits.has(operation) { operation } else { Operation::Default };
    Some(Limit { duration, operation, timeouts: name.clone(), is_block })
}

/// The object that was read, with the timeouts of the one that was known.
pub fn carried_over(block: &Block, known: &Value, mut read: Value) -> Value {
    if let (Some((name, ..)), Value::Object(read)) = (find(block), &mut read) {
        read.insert(name.clone(), known.attribute(name).cloned().unwrap_or(Value::Null));
    }
    read
}
