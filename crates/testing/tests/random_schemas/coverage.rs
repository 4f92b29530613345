//! Counts the features that the cases generate.

use std::collections::BTreeMap;
use std::fmt;

use ferroform_testing::{Action, Diff};

use crate::backend::ApiBehavior;
use crate::behavior::GROUPS;
use crate::schema::{Field, Kind, LEVELS, MODES, NESTINGS, SIMPLE, kind_name};

const SCHEMAS: &str = "schemas";
const INVALID: &str = "invalid schemas";
const CHANGED_BY_API: &str = "value changed by the API";

/// The number of occurrences of each feature, by its name.
#[derive(Default)]
pub(crate) struct Coverage(BTreeMap<String, u64>);

impl Coverage {
    fn add(&mut self, feature: impl Into<String>, count: u64) {
        *self.0.entry(feature.into()).or_default() += count;
    }

    pub(crate) fn schema(&mut self, fields: &[Field], is_invalid: bool) {
        self.add(SCHEMAS, 1);
        if is_invalid {
            self.add(INVALID, 1);
        } else {
            self.fields(fields, 0);
        }
    }

    fn fields(&mut self, fields: &[Field], level: u32) {
        self.add(at_level(level), 1);
        for it in fields {
            self.add(kind_name(&it.kind, it.is_block), 1);
            self.add(format!("{:?}", it.mode), 1);
            it.behaviors.iter().for_each(|it| self.add(format!("{it:?}"), 1));
            if let Kind::Objects(_, inside) = &it.kind {
                self.fields(inside, level + 1);
            }
        }
    }

    pub(crate) fn plan(&mut self, first: &Diff, has_unknowns: bool) {
        self.add(first.action.to_string(), 1);
        if has_unknowns {
            self.add(with_unknowns(&first.action.to_string()), 1);
        }
    }

    pub(crate) fn read(&mut self, read: &Diff) {
        self.add(read_as(read.action), 1);
    }

    pub(crate) fn api_behavior(&mut self, changed: u64) {
        self.add(CHANGED_BY_API, changed);
    }

    /// Fails if a feature was never generated.
    pub(crate) fn assert_complete(&self, api_behavior: ApiBehavior) {
        let count = |feature: &str| self.0.get(feature).copied().unwrap_or_default();
        assert!(2 * count(INVALID) <= count(SCHEMAS), "most schemas are invalid:\n{self}");
        let missing: Vec<_> = expected(api_behavior).into_iter().filter(|it| count(it) == 0).collect();
        assert!(missing.is_empty(), "never generated: {missing:?}\n{self}");
    }
}

fn expected(api_behavior: ApiBehavior) -> Vec<String> {
    let actions = [Action::Create, Action::Update, Action::Replace].map(|it| it.to_string());
    let mut all: Vec<_> = actions.iter().map(|it| with_unknowns(it)).collect();
    all.extend(actions);
    all.push(Action::NoOp.to_string());
    all.extend((0..=LEVELS).map(at_level));
    all.extend(MODES.map(|it| format!("{it:?}")));
    all.extend(GROUPS.iter().flat_map(|it| it.1).map(|it| format!("{it:?}")));
    all.extend(SIMPLE.map(|it| kind_name(&it(), false)));
    for is_block in [false, true] {
        all.extend(NESTINGS.map(|it| kind_name(&Kind::Objects(it, Vec::new()), is_block)));
    }
    if api_behavior != ApiBehavior::None {
        all.push(CHANGED_BY_API.to_owned());
    }
    if api_behavior == ApiBehavior::Drifts {
        all.push(read_as(Action::Update));
    }
    all
}

fn at_level(level: u32) -> String {
    format!("objects at level {level}")
}

fn with_unknowns(action: &str) -> String {
    format!("{action} with unknowns")
}

fn read_as(action: Action) -> String {
    format!("{action} when read")
}

/// The features with their numbers.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<_> = self.0.iter().map(|(feature, count)| format!("{feature} {count}")).collect();
        f.write_str(&all.join(", "))
    }
}
