//! The worked examples of the guide: prior state, configuration and planned state.

use std::collections::BTreeSet;

use crate::common::check;
use expect_test::expect;
use ferroform::Model;
use ferroform_testing::config;

/// The example in `docs/models-and-views.md`.
#[derive(Model, Clone, Debug, PartialEq)]
struct Bucket {
    #[attr(requires_replace)]
    name: String,
    tags: Option<BTreeSet<String>>,
    #[attr(optional, computed)]
    region: String,
    #[attr(computed, follows(name, region))]
    url: String,
}

#[test]
fn computed_values_become_unknown_when_another_attribute_changes() {
    let url = "https://logs.eu-west-1.example";
    check::<Bucket>(
        Some(config! { name = "logs", region = "eu-west-1", url = url }),
        config! { name = "logs", tags = ["audit"] },
        expect![[r#"
            update
            + tags = ["audit"]
            ~ region = "eu-west-1" -> (known after apply)
            ~ url = "https://logs.eu-west-1.example" -> (known after apply)"#]],
    );
}

/// The example in `docs/attribute-behaviors.md`.
#[derive(Model, Clone, Debug, PartialEq)]
struct Volume {
    #[attr(requires_replace, suppress_diff = str::eq_ignore_ascii_case)]
    name: String,
    #[attr(default = 10)]
    size: u64,
    #[attr(optional, computed, use_state_for_unknown)]
    file_system: String,
    #[attr(computed, follows(name))]
    address: String,
}

#[test]
fn suppressed_difference_keeps_following_values_and_new_name_requires_replacement() {
    let state = || Some(config! { name = "data", size = 10, file_system = "ext4", address = "/mnt/data" });
    check::<Volume>(
        state(),
        config! { name = "DATA", size = 20 },
        expect![[r#"
        update
        ~ size = 10 -> 20"#]],
    );
    check::<Volume>(
        state(),
        config! { name = "logs" },
        expect![[r#"
        replace
        ~ name = "data" -> "logs" # forces replacement
        ~ file_system = "ext4" -> (known after apply)
        ~ address = "/mnt/data" -> (known after apply)"#]],
    );
}
