//! Timeouts in a schema: the attribute or block `timeouts`, in which practitioners set the timeouts of operations.
//!
//! ```text
//! resource "cloud_server" "a" {
//!   timeouts {
//!     create = "1h30m"
//!   }
//! }
//! ```

use std::sync::Arc;
use std::time::Duration;

use ferroform_value::{Error, Path, Type, Value};

use super::{Attribute, Block, Member, Mode, Nested, RustType};
use crate::Diagnostic;
use crate::timeouts::{DEFAULT_TIMEOUT, Operation, TimeoutDefaults, format_duration, parse_timeout};
use crate::type_mismatch::mismatch;

/// The block of an attribute or block of timeouts.
fn block_of(limits: &TimeoutDefaults) -> Block {
    let attribute = |operation: Operation| {
        let time = limits.duration(operation, &|_| None).unwrap_or(DEFAULT_TIMEOUT);
        duration(operation.name()).description(operation.description(time))
    };
    let block = Block::new().with_attributes(limits.operations().map(attribute));
    block.with(|it| it.timeouts = Some(limits.clone()))
}

/// An optional attribute that contains a duration.
fn duration(name: &str) -> Attribute {
    static DURATION: RustType = RustType {
        check: check_duration,
        check_config: check_duration,
        check_sets: |_| Ok(()),
        placeholder: || Value::Null,
        keep_prior: |prior, new| {
            if canonical(prior) == canonical(new) { prior.clone() } else { new.clone() }
        },
        canonical,
        has_semantic_equality: true,
        hints: Vec::new,
        type_doc: "",
        type_description: "",
    };
    let mut attribute = Attribute::raw(name, Type::String).optional();
    attribute.rust_type = Some(&DURATION);
    attribute
}

/// The canonical form of a duration: `60m` and `1h` are semantically equal.
fn canonical(value: &Value) -> Value {
    let duration = value.as_str().and_then(|it| parse_timeout(it).ok());
    duration.map_or_else(|| value.clone(), |it| format_duration(it).into())
}

/// Checks that a value is a duration. Null and unknown values are valid.
fn check_duration(value: &Value) -> Result<(), Error> {
    match value.without_type() {
        Value::Null | Value::Unknown(_) => Ok(()),
        Value::String(string) => parse_timeout(string)
            .map(drop)
            .map_err(|expected| Error::invalid_value(expected, format_args!("{string:?}"))),
        other => Err(mismatch("a string", other)),
    }
}

impl Attribute {
    /// The timeouts of these operations: an optional nested attribute, or a block if it is added with [`Block::block`].
    ///
    /// Timeouts are supported at the root of every kind of object that has operations. A change of timeouts alone updates
    /// the state of a resource without calling the provider.
    pub fn timeouts(name: impl Into<Arc<str>>, limits: TimeoutDefaults) -> Attribute {
        Attribute::raw_nested(name, Nested::single(block_of(&limits)))
            .with_mode(Mode::Optional)
            .description("The timeouts of operations.")
    }
}

/// The timeout of one request.
#[derive(Clone, Debug)]
pub struct OperationTimeout {
    /// The maximum duration of the operation.
    pub duration: Duration,
    operation: Operation,
    /// The name of the attribute or block of timeouts.
    timeouts: Arc<str>,
    is_block: bool,
    is_configured: bool,
}

impl OperationTimeout {
    /// An instruction to configure a longer timeout.
    pub fn hint(&self) -> String {
        let OperationTimeout { timeouts, operation, .. } = self;
        let (assignment, name, more) = (
            if self.is_block { "" } else { "= " },
            operation.name(),
            format_duration(self.duration.saturating_mul(2)),
        );
        format!(
            "To increase the timeout, configure for example: {timeouts} {assignment}{{ {name} = {more:?} }}"
        )
    }

    /// The attribute path of the timeout; `None` if it is a default.
    pub fn path(&self) -> Option<Path> {
        self.is_configured.then(|| Path::attribute(self.timeouts.clone()).name(self.operation.name()))
    }
}

/// The timeouts of a schema: their name, their operations with defaults, and whether they are a block.
pub(super) fn find(block: &Block) -> Option<(&Arc<str>, &TimeoutDefaults, bool)> {
    block.members().find_map(|it| {
        let timeouts = it.nested()?.1.timeouts()?;
        Some((it.name(), timeouts, matches!(it, Member::Block(_))))
    })
}

/// The name of the timeouts of a schema; `None` if it has none.
pub fn name(block: &Block) -> Option<&str> {
    find(block).map(|(name, ..)| &**name)
}

/// The timeout of an operation, as an object configures it: a configuration, a plan or a state.
pub fn operation_timeout(block: &Block, operation: Operation, object: &Value) -> Option<OperationTimeout> {
    let (name, limits, is_block) = find(block)?;
    let set = |operation: Operation| {
        let value = object.attribute(name)?.attribute(operation.name())?;
        // A state of an older version of the provider may contain an invalid duration.
        parse_timeout(value.as_str()?).ok()
    };
    let duration = limits.duration(operation, &set)?;
    let operation = if limits.contains(operation) { operation } else { Operation::Default };
    let is_configured = set(operation).is_some();
    Some(OperationTimeout { duration, operation, timeouts: name.clone(), is_block, is_configured })
}

/// The warning about timeouts that set no operation. Terraform drops unknown names of a nested attribute, such as `crate`,
/// before the provider sees them. It reports them in a block.
pub fn unset_warning(block: &Block, config: &Value) -> Option<Diagnostic> {
    let (name, limits, is_block) = find(block)?;
    let Value::Object(timeouts) = config.attribute(name)? else { return None };
    if is_block || timeouts.iter().any(|(_, duration)| !duration.is_null()) {
        return None;
    }
    let operations: Vec<&str> = limits.operations().map(Operation::name).collect();
    let detail = format!(
        "None of the timeouts is set: {}. Terraform drops other names, such as misspelled ones, without a message.",
        operations.join(", ")
    );
    Some(Diagnostic::warning("No Timeout Set").detail(detail).at(Path::attribute(name.clone())))
}

/// The object that was read, with the timeouts of the prior state: they are not part of the remote object.
pub fn with_prior_timeouts(block: &Block, prior: &Value, mut read: Value) -> Value {
    if let (Some((name, ..)), Value::Object(read)) = (find(block), &mut read) {
        read.insert(name.clone(), prior.attribute(name).cloned().unwrap_or(Value::Null));
    }
    read
}
