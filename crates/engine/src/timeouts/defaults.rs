//! DefaultScope operations have a limit, and which it is.

use std::collections::BTreeMap;
use std::time::Duration;

use super::format_duration;

/// The time of an operation that is named without one: what SDKv2 gives.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(20 * 60);

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

    pub(crate) fn description(self, time: Duration) -> String {
        let what = match self {
            Operation::Create => "the creation may take",
            Operation::Read => "the reading may take",
            Operation::Update => "an update may take",
            Operation::Delete => "the deletion may take",
            Operation::Default => "an operation may take that has no time of its own",
        };
        format!("How long {what}, such as `1h30m`; `{}` where it is not set.", format_duration(time))
    }
}

/// The operations that have a limit, each with its usual time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeoutDefaults {
    times: BTreeMap<Operation, Option<Duration>>,
}

impl TimeoutDefaults {
    /// None yet.
    #[must_use]
    pub fn new() -> TimeoutDefaults {
        TimeoutDefaults::default()
    }

    /// Every operation of a resource, with the time of SDKv2.
    #[must_use]
    pub fn all() -> TimeoutDefaults {
        let operations = Operation::ALL.into_iter().filter(|it| *it != Operation::Default);
        TimeoutDefaults { times: operations.map(|it| (it, None)).collect() }
    }

    /// The operation takes at most this time where the configured value is nothing else.
    #[must_use]
    pub fn with(mut self, operation: Operation, time: Duration) -> TimeoutDefaults {
        self.times.insert(operation, Some(time));
        self
    }

    /// The operation has the time of [`Operation::Default`], where that is named, else [the usual one](DEFAULT_TIMEOUT).
    #[must_use]
    pub fn with_default_timeout(mut self, operation: Operation) -> TimeoutDefaults {
        self.times.insert(operation, None);
        self
    }

    /// The operations that are named.
    pub fn operations(&self) -> impl Iterator<Item = Operation> {
        self.times.keys().copied()
    }

    /// The time of an operation, with what the configuration has set; none where it has no limit.
    pub fn duration(
        &self,
        operation: Operation,
        set: &dyn Fn(Operation) -> Option<Duration>,
    ) -> Option<Duration> {
        let named = |operation| self.times.get(&operation).map(|time| (set(operation), *time));
        let own = named(operation);
        let default = || named(Operation::Default).map(|(set, time)| set.or(time).unwrap_or(DEFAULT_TIMEOUT));
        own.and_then(|(set, time)| set.or(time)).or_else(default).or_else(|| own.map(|_| DEFAULT_TIMEOUT))
    }
}

impl TimeoutDefaults {
    /// True if the operation is named.
    pub fn contains(&self, operation: Operation) -> bool {
        self.times.contains_key(&operation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// The minutes that an operation may take, with these set by the user.
    fn minutes(limits: &TimeoutDefaults, operation: Operation, set: &[(Operation, u32)]) -> Option<u64> {
        let set = |it| set.iter().find(|(set, _)| *set == it).map(|(_, minutes)| MINUTE * *minutes);
        limits.duration(operation, &set).map(|it| it.as_secs() / 60)
    }

    #[test]
    fn the_user_s_time_then_the_provider_s_then_the_default_s() {
        use Operation::{Create, Default, Delete, Read, Update};
        let plain = TimeoutDefaults::new().with(Create, MINUTE * 30).with_default_timeout(Delete);
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
        assert_eq!(minutes(&TimeoutDefaults::all(), Update, &[]), Some(20));
    }
}
