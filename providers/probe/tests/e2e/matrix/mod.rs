//! Behaviors of SDKv2. Each row of `docs/sdkv2-behaviors.md` is shown with the real Terraform. Every row is an
//! object, and all objects are planned and applied together in one workspace, step by step.

mod computed_blocks;
mod computed_values;
mod plan_customization;
mod primitive;
mod relations;
mod replacement;
mod run;
mod semantic_equality;

use std::collections::BTreeSet;

use ferroform_testing::workspace::Json;

use crate::common::{FIVE, Outcome, SIX};

/// A behavior, by its name in the documentation.
struct Row {
    name: &'static str,
    /// The resource type, without the provider's name.
    of: &'static str,
    steps: Vec<Step>,
    /// The schema version and the attributes of the initial state.
    stored: Option<(u64, Json)>,
}

/// A configuration and its expected result.
struct Step {
    /// The arguments except `name`. `LATER` is replaced with a reference to the string `later`, which is unknown
    /// until apply.
    config: &'static str,
    expected: Expected,
    /// The paths that require replacement.
    replace_paths: &'static [&'static str],
    /// The expected prior and planned values of some attributes.
    before: Json,
    after: Json,
    /// The attributes that are unknown in the plan.
    unknown: &'static [&'static str],
    /// The expected values of some attributes after apply.
    applied: Json,
    /// The remote change before the plan.
    drift: Option<(&'static str, &'static str)>,
    /// True if the plan reports the change as drift.
    drifts: bool,
    /// The expected error of apply.
    apply_error: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Nothing,
    Create,
    Update,
    Replace,
    /// Rejected by validation.
    Rejected(&'static str),
    /// The plan fails.
    Fails(&'static str),
}

impl Row {
    fn stored(mut self, version: u64, attributes: Json) -> Row {
        self.stored = Some((version, attributes));
        self
    }

    /// The resource name.
    fn label(&self) -> String {
        let label = |it: char| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '_' };
        self.name.chars().map(label).collect()
    }

    /// The last step up to this round that changes the object.
    fn last(&self, round: usize) -> Option<&Step> {
        self.steps.iter().take(round + 1).rfind(|it| !it.is_failure())
    }

    /// The round of a step.
    fn at(&self, step: &Step) -> usize {
        self.steps.iter().position(|it| std::ptr::eq(it, step)).unwrap_or_default()
    }

    fn needs_protocol_6(&self) -> bool {
        self.of == "softnested"
    }
}

fn row<const N: usize>(name: &'static str, of: &'static str, steps: [Step; N]) -> Row {
    Row { name, of, steps: steps.into(), stored: None }
}

fn step(expected: Expected, config: &'static str) -> Step {
    Step {
        config,
        expected,
        replace_paths: &[],
        before: Json::Null,
        after: Json::Null,
        unknown: &[],
        applied: Json::Null,
        drift: None,
        drifts: false,
        apply_error: None,
    }
}

fn nothing(config: &'static str) -> Step {
    step(Expected::Nothing, config)
}

fn create(config: &'static str) -> Step {
    step(Expected::Create, config)
}

fn update(config: &'static str) -> Step {
    step(Expected::Update, config)
}

fn replace(config: &'static str, replace_paths: &'static [&'static str]) -> Step {
    Step { replace_paths, ..step(Expected::Replace, config) }
}

fn rejected(config: &'static str, message: &'static str) -> Step {
    step(Expected::Rejected(message), config)
}

fn fails(config: &'static str, message: &'static str) -> Step {
    step(Expected::Fails(message), config)
}

impl Step {
    fn is_failure(&self) -> bool {
        matches!(self.expected, Expected::Fails(_))
    }

    fn before(self, before: Json) -> Step {
        Step { before, ..self }
    }

    fn after(self, after: Json) -> Step {
        Step { after, ..self }
    }

    fn unknown(self, unknown: &'static [&'static str]) -> Step {
        Step { unknown, ..self }
    }

    fn applied(self, applied: Json) -> Step {
        Step { applied, ..self }
    }

    fn fails_to_apply(self, message: &'static str) -> Step {
        Step { apply_error: Some(message), ..self }
    }

    fn after_drift(self, attribute: &'static str, value: &'static str, is_reported: bool) -> Step {
        Step { drift: Some((attribute, value)), drifts: is_reported, ..self }
    }
}

fn rows() -> Vec<Row> {
    [
        primitive::rows(),
        computed_values::rows(),
        computed_blocks::rows(),
        replacement::rows(),
        semantic_equality::rows(),
        relations::rows(),
        plan_customization::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn behaviors_match_documentation_on_protocol_6() -> Outcome {
    run::all(SIX, rows())
}

#[test]
fn behaviors_match_documentation_on_protocol_5() -> Outcome {
    run::all(FIVE, rows().into_iter().filter(|it| !it.needs_protocol_6()).collect())
}

/// The documentation has a row for each behavior that is tested, and no other row.
#[test]
fn documentation_lists_each_tested_behavior_once() {
    let page = include_str!("../../../../../docs/sdkv2-behaviors.md");
    let first = |line: &'static str| line.strip_prefix("| ")?.split(" | ").next();
    let documented: Vec<&str> = page.lines().filter_map(first).filter(|it| *it != "behavior").collect();
    let rows = rows();
    let tested: Vec<&str> = rows.iter().map(|it| it.name).collect();
    let set = |all: &[&'static str]| all.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(set(&documented), set(&tested));
    assert_eq!(
        (documented.len(), tested.len()),
        (set(&documented).len(), set(&tested).len()),
        "a name occurs twice"
    );
    let columns = |it: &&str| it.starts_with('|') && it.replace("\\|", "").matches('|').count() != 5;
    assert_eq!(page.lines().filter(columns).collect::<Vec<_>>(), [""; 0], "four columns");
}
