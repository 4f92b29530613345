//! Sets whose Rust type merges elements that Terraform distinguishes.

use std::collections::BTreeSet;

use ferroform::attr::GoDuration;
use ferroform::{Model, Planned, Resource, Result, Set};
use ferroform_testing::{Action, Configuration, Harness, Invariant, config, provider};

provider! { Test { resource Timer = "test_timer" } }

#[derive(Model, Clone, Debug, PartialEq)]
struct Timer {
    delays: Option<BTreeSet<GoDuration>>,
    ratios: Option<Set<f64>>,
    lists: Option<Vec<BTreeSet<GoDuration>>>,
    steps: Option<BTreeSet<Step>>,
    #[attr(block)]
    phase: BTreeSet<Step>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    delay: GoDuration,
}

impl Resource for Timer {
    crate::common::state_only_resource!(Test, TimerComputed {});
}

#[test]
fn elements_that_the_rust_type_merges_are_rejected() {
    let third = || ferroform::value::Number::parse("0.33333333333333333333333").unwrap();
    let harness = Harness::start::<Test>(config! {});
    let invalid: [(&str, Configuration); 5] = [
        ("delays", config! { delays = ["1h", "60m"] }),
        ("ratios", config! { ratios = [third(), 1.0 / 3.0] }),
        ("lists[1]", config! { lists = [["1h"], ["2h", "120m"]] }),
        ("steps", config! { steps = [{ delay = "1h" }, { delay = "60m" }] }),
        ("phase", config! { phase { delay = "1h" } phase { delay = "60m" } }),
    ];
    for (path, config) in invalid {
        let errors = harness.resource("test_timer").try_plan(config).error();
        assert!(errors.to_string().contains("Two elements of the set are semantically equal"), "{errors}");
        assert!(errors.to_string().starts_with(&format!("{path}: ")), "{errors}");
    }
}

/// A stored set with equal elements, for example of values that were unknown during validation, is readable.
#[test]
fn stored_elements_are_merged() {
    let timer =
        Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject).resource("test_timer");
    let mut timer = timer.with_state(config! { delays = ["1h", "60m"] });
    timer.refresh();
    assert_eq!(timer.plan(config! { delays = ["60m"] }).action, Action::NoOp);
    timer.destroy();
}
