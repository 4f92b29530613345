//! Which operations have a limit, and which it is.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ferroform_value::{Error, Path, Type, Value};

use super::{parse, text};
use crate::schema::{Attribute, Block, Mode, NativeType, Nested};
use crate::type_mismatch::mismatch;

/// The time of an operation that is named without one: what SDKv2 gives.
pub const USUAL: Duration = Duration::from_secs(20 * 60);

/// An operation that can have a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// The creation of a resource.
    Create,
    /// The reading of a resource or data source.
    Read,
    /// The update of a resource.
    Update,
    /// The deletion of a resource.
    Delete,
    /// Whatever has no limit of its own, as SDKv2 has it.
    Default,
}

impl Operation {
    const ALL: [Operation; 5] =
        [Operation::Create, Operation::Read, Operation::Update, Operation::Delete, Operation::Default];

    /// The name of its attribute.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Create => "create",
            Operation::Read => "read",
            Operation::Update => "update",
            Operation::Delete => "delete",
            Operation::Default => "default",
        }
    }

    fn description(self, time: Duration) -> String {
        let what = match self {
            Operation::Create => "the creation may take",
            Operation::Read => "the reading may take",
            Operation::Update => "an update may take",
            Operation::Delete => "the deletion may take",
            Operation::Default => "an operation may take that has no time of its own",
        };
        format!("How long {what}, such as `1h30m`; `{}` where it is not set.", text(time))
    }
}

/// The operations that have a limit, each with its usual time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    times: BTreeMap<Operation, Option<Duration>>,
}

impl Limits {
    /// None yet.
    #[must_use]
    pub fn new() -> Limits {
        Limits::default()
    }

    /// Every operation of a resource, with the time of SDKv2.
    #[must_use]
    pub fn all() -> Limits {
        let operations = Operation::ALL.into_iter().filter(|it| *it != Operation::Default);
        Limits { times: operations.map(|it| (it, None)).collect() }
    }

    /// The operation takes at most this time where the configuration says nothing else.
    #[must_use]
    pub fn with(mut self, operation: Operation, time: Duration) -> Limits {
        self.times.insert(operation, Some(time));
        self
    }

    /// The operation has the time of [`Operation::Default`], where that is named, else [the usual one](USUAL).
    #[must_use]
    pub fn with_usual(mut self, operation: Operation) -> Limits {
        self.times.insert(operation, None);
        self
    }

    /// The operations that are named.
    pub fn operations(&self) -> impl Iterator<Item = Operation> {
        self.times.keys().copied()
    }

    /// The time of an operation, with what the configuration has set; none where it has no limit.
    fn time(&self, operation: Operation, set: &dyn Fn(Operation) -> Option<Duration>) -> Option<Duration> {
        let named = |operation| self.times.get(&operation).map(|time| (set(operation), *time));
        let own = named(operation);
        let default = || named(Operation::Default).map(|(set, time)| set.or(time).unwrap_or(USUAL));
        own.and_then(|(set, time)| set.or(time)).or_else(default).or_else(|| own.map(|_| USUAL))
    }

    /// The schema inside an attribute or block of timeouts.
    fn block(&self) -> Block {
        let attribute = |operation: Operation| {
            let time = self.time(operation, &|_| None).unwrap_or(USUAL);
            duration(operation.name()).description(operation.description(time))
        };
        let attributes = self.operations().map(attribute).collect();
        Block { attributes, limits: Some(self.clone()), ..Block::new() }
    }
}

/// An optional attribute that holds a duration.
fn duration(name: &str) -> Attribute {
    static DURATION: NativeType = NativeType {
        reads: is_duration,
        configures: is_duration,
        placeholder: || Value::Null,
        keep: |_, new| new.clone(),
        canonical: Value::clone,
        is_lax: false,
        about: "",
    };
    let mut made = Attribute::raw(name, Type::String).optional();
    made.native = Some(&DURATION);
    made
}

/// Reports why a value is not a duration. Null and unknown are accepted.
fn is_duration(value: &Value) -> Result<(), Error> {
    match value.bare() {
        Value::Null | Value::Unknown(_) => Ok(()),
        Value::String(given) => parse(given)
            .map(drop)
            .map_err(|wanted| Error::new(format!("{wanted} is required, but this is {given:?}"))),
        other => Err(mismatch("a string", other)),
    }
}

impl Attribute {
    /// The timeouts of these operations: an optional nested attribute, or with [`Block::block`] a block.
    ///
    /// They stand at the root of a resource or data source. A change of them alone changes nothing but the state.
    pub fn timeouts(name: impl Into<Arc<str>>, limits: Limits) -> Attribute {
        Attribute::raw_nested(name, Nested::single(limits.block()))
            .mode(Mode::Optional)
            .description("How long operations may take.")
    }
}

/// The limit of one call.
#[derive(Clone, Debug)]
pub struct Limit {
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
    let operation = if limits.times.contains_key(&operation) { operation } else { Operation::Default };
    Some(Limit { duration, operation, timeouts: name.clone(), is_block })
}

/// The object that was read, with the timeouts of the one that was known.
pub fn carried_over(block: &Block, known: &Value, mut read: Value) -> Value {
    if let (Some((name, ..)), Value::Object(read)) = (find(block), &mut read) {
        read.insert(name.clone(), known.attribute(name).cloned().unwrap_or(Value::Null));
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// The minutes that an operation may take, with these set by the user.
    fn minutes(limits: &Limits, operation: Operation, set: &[(Operation, u32)]) -> Option<u64> {
        let set = |it| set.iter().find(|(set, _)| *set == it).map(|(_, minutes)| MINUTE * *minutes);
        limits.time(operation, &set).map(|it| it.as_secs() / 60)
    }

    #[test]
    fn the_user_s_time_then_the_provider_s_then_the_default_s() {
        use Operation::{Create, Default, Delete, Read, Update};
        let plain = Limits::new().with(Create, MINUTE * 30).with_usual(Delete);
        assert_eq!(minutes(&plain, Create, &[]), Some(30));
        assert_eq!(minutes(&plain, Create, &[(Create, 5)]), Some(5));
        assert_eq!(minutes(&plain, Delete, &[]), Some(20));
        assert_eq!(minutes(&plain, Read, &[(Read, 5)]), None, "what is not named has no limit");

        let with_default = plain.with(Default, MINUTE * 40);
        assert_eq!(minutes(&with_default, Create, &[(Default, 5)]), Some(30), "its own time is nearer");
        assert_eq!(minutes(&with_default, Delete, &[]), Some(40));
        assert_eq!(minutes(&with_default, Delete, &[(Default, 5)]), Some(5));
        assert_eq!(minutes(&with_default, Update, &[(Default, 5)]), Some(5));
        assert_eq!(minutes(&with_default, Update, &[(Default, 5), (Update, 7)]), Some(5));
        assert_eq!(minutes(&Limits::all(), Update, &[]), Some(20));
    }
}
