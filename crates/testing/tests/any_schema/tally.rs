//! What came up in the cases.

use std::collections::BTreeMap;
use std::fmt;

use ferroform_testing::{Action, Diff};

use crate::backend::Habit;
use crate::behaviour::GROUPS;
use crate::schema::{Field, Kind, LEVELS, MODES, NESTINGS, SIMPLE, kind_name};

const SCHEMAS: &str = "schemas";
const FAULTY: &str = "schemas with faults";
const HABIT: &str = "habit shown";

/// How often each thing came up, by its name.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn add(&mut self, what: impl Into<String>, count: u64) {
        *self.0.entry(what.into()).or_default() += count;
    }

    pub(crate) fn schema(&mut self, fields: &[Field], has_faults: bool) {
        self.add(SCHEMAS, 1);
        if has_faults {
            self.add(FAULTY, 1);
        } else {
            self.fields(fields, 0);
        }
    }

    fn fields(&mut self, fields: &[Field], level: u32) {
        self.add(at_level(level), 1);
        for it in fields {
            self.add(kind_name(&it.kind, it.is_block), 1);
            self.add(format!("{:?}", it.mode), 1);
            it.behaviours.iter().for_each(|it| self.add(format!("{it:?}"), 1));
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

    pub(crate) fn habit(&mut self, shown: u64) {
        self.add(HABIT, shown);
    }

    /// That nothing is left out which the cases are for.
    pub(crate) fn has_all(&self, habit: Habit) {
        let count = |what: &str| self.0.get(what).copied().unwrap_or_default();
        assert!(2 * count(FAULTY) <= count(SCHEMAS), "most schemas have faults:\n{self}");
        let missing: Vec<_> = wanted(habit).into_iter().filter(|it| count(it) == 0).collect();
        assert!(missing.is_empty(), "these never came up: {missing:?}\n{self}");
    }
}

fn wanted(habit: Habit) -> Vec<String> {
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
    if habit != Habit::None {
        all.push(HABIT.to_owned());
    }
    if habit == Habit::Drifts {
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

/// Each with its number.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<_> = self.0.iter().map(|(what, count)| format!("{what} {count}")).collect();
        f.write_str(&all.join(", "))
    }
}
