//! Warnings of state upgrades by `From`.

use ferroform::{Diagnostic, Model, Planned, Resource, Result, path};
use ferroform_testing::provider;

use crate::common::state_only_resource;

provider! { Test { resource Label = "test_label" } }

/// The first version of a label.
#[derive(Model, Clone, Debug, PartialEq)]
struct LabelV0 {
    name: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = LabelV0, upgrade_warnings = shortened_name)]
struct LabelV1 {
    name: String,
}

/// A label, whose name has at most four bytes since version 1.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 2, upgrade_from = LabelV1, upgrade_warnings = |old: &LabelV1| vec![Diagnostic::warning(format!("Upgraded {}", old.name))])]
struct Label {
    name: String,
    #[attr(sensitive)]
    code: Option<String>,
}

impl From<LabelV0> for LabelV1 {
    fn from(old: LabelV0) -> LabelV1 {
        LabelV1 { name: old.name.chars().take(4).collect() }
    }
}

impl From<LabelV1> for Label {
    fn from(old: LabelV1) -> Label {
        Label { code: old.name.strip_prefix("code:").map(Into::into), name: "a".into() }
    }
}

fn shortened_name(old: &LabelV0) -> Option<Diagnostic> {
    let is_long = old.name.len() > 4;
    is_long.then(|| {
        Diagnostic::warning("Shortened Name").detail(format!("{} is too long.", old.name)).at(path!(name))
    })
}

impl Resource for Label {
    state_only_resource!(Test, LabelComputed {});
}

#[test]
fn upgrade_by_from_reports_warnings() {
    let warnings = |version, json: &str| {
        let server = ferroform::server::<Test>();
        let upgraded = server.upgrade_resource_state("test_label", version, json.as_bytes());
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let (state, diagnostics) = runtime.block_on(upgraded);
        assert!(state.is_some() && !diagnostics.has_error(), "{diagnostics}");
        diagnostics.to_string()
    };
    assert_eq!(warnings(0, r#"{"name":"abc"}"#), "Upgraded abc");
    assert_eq!(
        warnings(0, r#"{"name":"abcdef"}"#),
        "name: Shortened Name: abcdef is too long.\nUpgraded abcd"
    );
    assert_eq!(warnings(1, r#"{"name":"abcdef"}"#), "Upgraded abcdef");
    assert_eq!(warnings(2, r#"{"name":"abcdef"}"#), "");
    // No schema of an earlier version marks it as sensitive.
    assert_eq!(warnings(1, r#"{"name":"code:hunter2"}"#), "Upgraded code:(sensitive value)");
}
