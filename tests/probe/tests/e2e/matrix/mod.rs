//! SDKv2's behaviours, one by one and together: what the page `docs/sdkv2-behaviors.md` says of each, the real Terraform
//! shows here. Every row is an object of its own, and all of them go through their steps in one workspace.

mod course;
mod fixed;
mod group;
mod origin;
mod primitive;
mod run;
mod soft;

use std::collections::BTreeSet;

use ferroform_testing::cli::Json;

use crate::common::{FIVE, Outcome, SIX};

/// A behaviour, as the page names it.
struct Row {
    name: &'static str,
    /// The resource, without the provider's name.
    of: &'static str,
    steps: Vec<Step>,
    /// The version and the attributes of the state that there is at first.
    stored: Option<(u64, Json)>,
}

/// A configuration, and what comes of it.
struct Step {
    /// The arguments but `name`. `LATER` stands for a text that is not known before apply: `later`.
    config: &'static str,
    wants: Wants,
    /// The place of the change: what makes a new object necessary.
    places: &'static [&'static str],
    /// Attributes as they are before, and as they are planned.
    before: Json,
    after: Json,
    /// Attributes that are not known in the plan.
    unknown: &'static [&'static str],
    /// Attributes as they are in the end.
    made: Json,
    /// What is changed behind the provider's back, before the plan.
    drift: Option<(&'static str, &'static str)>,
    /// True where the plan tells of what was changed outside.
    drifts: bool,
    /// What apply fails with.
    breaks: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    Nothing,
    Create,
    Update,
    Replace,
    /// Refused before anything is planned.
    Refused(&'static str),
    /// The plan fails.
    Fails(&'static str),
}

impl Row {
    fn stored(mut self, version: u64, attributes: Json) -> Row {
        self.stored = Some((version, attributes));
        self
    }

    /// Its address, without the provider's name.
    fn label(&self) -> String {
        let label = |it: char| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '_' };
        self.name.chars().map(label).collect()
    }

    /// The last step, up to this one, that does something.
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

fn step(wants: Wants, config: &'static str) -> Step {
    Step {
        config,
        wants,
        places: &[],
        before: Json::Null,
        after: Json::Null,
        unknown: &[],
        made: Json::Null,
        drift: None,
        drifts: false,
        breaks: None,
    }
}

fn nothing(config: &'static str) -> Step {
    step(Wants::Nothing, config)
}

fn create(config: &'static str) -> Step {
    step(Wants::Create, config)
}

fn update(config: &'static str) -> Step {
    step(Wants::Update, config)
}

fn replace(config: &'static str, places: &'static [&'static str]) -> Step {
    Step { places, ..step(Wants::Replace, config) }
}

fn refused(config: &'static str, said: &'static str) -> Step {
    step(Wants::Refused(said), config)
}

fn fails(config: &'static str, said: &'static str) -> Step {
    step(Wants::Fails(said), config)
}

impl Step {
    fn is_failure(&self) -> bool {
        matches!(self.wants, Wants::Fails(_))
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

    fn made(self, made: Json) -> Step {
        Step { made, ..self }
    }

    fn breaks(self, said: &'static str) -> Step {
        Step { breaks: Some(said), ..self }
    }

    fn after_drift(self, attribute: &'static str, value: &'static str, is_told: bool) -> Step {
        Step { drift: Some((attribute, value)), drifts: is_told, ..self }
    }
}

fn rows() -> Vec<Row> {
    [primitive::rows(), origin::rows(), fixed::rows(), soft::rows(), group::rows(), course::rows()]
        .into_iter()
        .flatten()
        .collect()
}

#[test]
fn every_behaviour_is_as_the_page_says_on_protocol_6() -> Outcome {
    run::all(SIX, rows())
}

#[test]
fn every_behaviour_is_as_the_page_says_on_protocol_5() -> Outcome {
    run::all(FIVE, rows().into_iter().filter(|it| !it.needs_protocol_6()).collect())
}

/// The page has a row for each behaviour that is shown here, and no other.
#[test]
fn the_page_and_the_rows_are_about_the_same() {
    let page = include_str!("../../../../../docs/sdkv2-behaviors.md");
    let first = |line: &'static str| line.strip_prefix("| ")?.split(" | ").next();
    let told: Vec<&str> = page.lines().filter_map(first).filter(|it| *it != "behavior").collect();
    let rows = rows();
    let shown: Vec<&str> = rows.iter().map(|it| it.name).collect();
    let set = |all: &[&'static str]| all.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(set(&told), set(&shown));
    assert_eq!((told.len(), shown.len()), (set(&told).len(), set(&shown).len()), "a name stands twice");
    let columns = |it: &&str| it.starts_with('|') && it.replace("\\|", "").matches('|').count() != 5;
    assert_eq!(page.lines().filter(columns).collect::<Vec<_>>(), [""; 0], "four columns");
}
