//! The operations that have timeouts (`kind.rs` has those of each kind of object), and their default timeouts.
//!
//! The timeout of an operation is, in this order: the configured one, the declared default of the operation, the
//! configured or declared timeout of `default`, 20 minutes. An operation that is not named has no timeout, unless
//! `default` is.
//!
//! Examples: the timeouts that a resource declares, the configuration, and the timeouts of its operations.
//!
//! ```text
//! declared       create = "30m", delete
//! configuration  create = "45m"
//! timeouts       create 45m, delete 20m, read and update none
//!
//! declared       create = "30m", delete, default = "1h"
//! configuration  default = "2h"
//! timeouts       create 30m, delete 2h, read and update 2h
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use super::format_duration;

/// The timeout of an operation that is named without a default, as in SDKv2.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(20 * 60);

/// An operation that can have a timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// The create operation of a resource.
    Create,
    /// The read operation of a resource, data source or state store.
    Read,
    /// The update operation of a resource.
    Update,
    /// The delete operation of a resource or state store.
    Delete,
    /// The invocation of an action.
    Invoke,
    /// Opening an ephemeral resource.
    Open,
    /// Renewing an ephemeral resource.
    Renew,
    /// Closing an ephemeral resource.
    Close,
    /// Listing the objects of a list resource, or the IDs of the states in a state store.
    List,
    /// Writing a state to a state store.
    Write,
    /// Locking a state.
    Lock,
    /// Unlocking a state.
    Unlock,
    /// All operations without a timeout of their own, as in SDKv2.
    Default,
}

impl Operation {
    const OF_RESOURCE: [Operation; 4] =
        [Operation::Create, Operation::Read, Operation::Update, Operation::Delete];

    /// The name of its attribute in `timeouts`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Create => "create",
            Operation::Read => "read",
            Operation::Update => "update",
            Operation::Delete => "delete",
            Operation::Invoke => "invoke",
            Operation::Open => "open",
            Operation::Renew => "renew",
            Operation::Close => "close",
            Operation::List => "list",
            Operation::Write => "write",
            Operation::Lock => "lock",
            Operation::Unlock => "unlock",
            Operation::Default => "default",
        }
    }

    pub(crate) fn description(self, default: Duration) -> String {
        let subject = match self {
            Operation::Default => "all operations without a timeout of their own",
            operation => operation.name(),
        };
        format!("The timeout of {subject}, such as `1h30m`. Defaults to `{}`.", format_duration(default))
    }
}

/// The operations that have timeouts, each with its default.
///
/// ```
/// use std::time::Duration;
/// use ferroform_engine::timeouts::{Operation, TimeoutDefaults};
///
/// let minute = Duration::from_secs(60);
/// let timeouts = TimeoutDefaults::new().with(Operation::Create, minute * 30);
/// assert_eq!(timeouts.duration(Operation::Create, &|_| None), Some(minute * 30));
/// assert_eq!(timeouts.duration(Operation::Delete, &|_| None), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeoutDefaults {
    times: BTreeMap<Operation, Option<Duration>>,
}

impl TimeoutDefaults {
    /// No operation has a timeout.
    #[must_use]
    pub fn new() -> TimeoutDefaults {
        TimeoutDefaults::default()
    }

    /// Every operation of a resource has a timeout of 20 minutes.
    #[must_use]
    pub fn all() -> TimeoutDefaults {
        TimeoutDefaults { times: Operation::OF_RESOURCE.into_iter().map(|it| (it, None)).collect() }
    }

    /// Adds an operation with this default.
    #[must_use]
    pub fn with(mut self, operation: Operation, default: Duration) -> TimeoutDefaults {
        self.times.insert(operation, Some(default));
        self
    }

    /// Adds an operation with the timeout of [`Operation::Default`], or else [`DEFAULT_TIMEOUT`].
    #[must_use]
    pub fn with_default_timeout(mut self, operation: Operation) -> TimeoutDefaults {
        self.times.insert(operation, None);
        self
    }

    /// The operations that have timeouts.
    pub fn operations(&self) -> impl Iterator<Item = Operation> {
        self.times.keys().copied()
    }

    /// The timeout of an operation. `set` returns configured timeouts. `None` if the operation has no timeout.
    pub fn duration(
        &self,
        operation: Operation,
        set: &dyn Fn(Operation) -> Option<Duration>,
    ) -> Option<Duration> {
        let named = |operation| self.times.get(&operation).map(|time| (set(operation), *time));
        let declared = named(operation);
        let default = || named(Operation::Default).map(|(set, time)| set.or(time).unwrap_or(DEFAULT_TIMEOUT));
        declared
            .and_then(|(set, time)| set.or(time))
            .or_else(default)
            .or_else(|| declared.map(|_| DEFAULT_TIMEOUT))
    }
}

impl TimeoutDefaults {
    /// True if the operation itself has a timeout.
    pub fn contains(&self, operation: Operation) -> bool {
        self.times.contains_key(&operation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// The timeout of an operation in minutes, with these timeouts configured.
    fn minutes(limits: &TimeoutDefaults, operation: Operation, set: &[(Operation, u32)]) -> Option<u64> {
        let set = |it| set.iter().find(|(set, _)| *set == it).map(|(_, minutes)| MINUTE * *minutes);
        limits.duration(operation, &set).map(|it| it.as_secs() / 60)
    }

    #[test]
    fn configured_timeout_precedes_declared_default_and_default_operation() {
        use Operation::{Create, Default, Delete, Read, Update};
        let plain = TimeoutDefaults::new().with(Create, MINUTE * 30).with_default_timeout(Delete);
        assert_eq!(minutes(&plain, Create, &[]), Some(30));
        assert_eq!(minutes(&plain, Create, &[(Create, 5)]), Some(5));
        assert_eq!(minutes(&plain, Delete, &[]), Some(20));
        assert_eq!(
            minutes(&plain, Read, &[(Read, 5)]),
            None,
            "an operation that is not named has no timeout"
        );

        let with_default = plain.with(Default, MINUTE * 40);
        assert_eq!(
            minutes(&with_default, Create, &[(Default, 5)]),
            Some(30),
            "the timeout of the operation itself comes first"
        );
        assert_eq!(minutes(&with_default, Delete, &[]), Some(40));
        assert_eq!(minutes(&with_default, Delete, &[(Default, 5)]), Some(5));
        assert_eq!(minutes(&with_default, Update, &[(Default, 5)]), Some(5));
        assert_eq!(minutes(&with_default, Update, &[(Default, 5), (Update, 7)]), Some(5));
        assert_eq!(minutes(&TimeoutDefaults::all(), Update, &[]), Some(20));
    }
}
