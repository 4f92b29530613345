//! Unit tests of the provider in process.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::{Expect, expect};
use ferroform::path;
use ferroform_testing::{
    Action, Configuration, Harness, Instance, ProviderCheck, SchemaLock, config, unknown,
};
use petname::Petnames;

use crate::Random;

fn harness() -> Harness {
    Harness::start::<Random>(config! {})
}

fn string(instance: &Instance, name: &str) -> String {
    instance.state().get(ferroform::value::Path::attribute(name))
}

#[test]
fn stored_states_remain_readable() {
    SchemaLock::of::<Random>().check("schemas.lock");
}

#[test]
fn provider_violates_no_invariant() {
    // Larger numbers only require more time and memory.
    let sizes = || [1, 2, 100];
    ProviderCheck::<Random>::new()
        .values("random_bytes", path!(length), sizes())
        .values("random_id", path!(byte_length), sizes())
        .values("random_password", path!(length), sizes())
        .values("random_pet", path!(length), sizes())
        .values("random_shuffle", path!(result_count), sizes())
        .values("random_string", path!(length), sizes())
        .example("random_integer", config! { min = 1, max = 1000 })
        .run();
}

/// The results of the original's own tests, and numbers of more than 31 bits.
#[test]
fn seed_produces_results_of_original() {
    let harness = harness();
    for (min, max, seed, expected) in [
        (1_i64, 3_i64, "12345", 3_i64),
        (7227701560655103597, 7227701560655103598, "12345", 7227701560655103598),
    ] {
        let mut integer = harness.resource("random_integer");
        integer.apply(config! { min = min, max = max, seed = seed });
        assert_eq!(integer.state().get::<i64>(path!(result)), expected);
        assert_eq!(string(&integer, "id"), expected.to_string());
    }
    for (count, expected) in [(None, "acbed"), (Some(3), "acb"), (Some(12), "acbedaedcbab"), (Some(0), "")] {
        let mut shuffle = harness.resource("random_shuffle");
        let input = ["a", "b", "c", "d", "e"];
        shuffle.apply(config! { input = input, seed = "-", result_count = count });
        assert_eq!(shuffle.state().get::<Vec<String>>(path!(result)).concat(), expected);
        assert_eq!(string(&shuffle, "id"), "-");
    }
}

#[test]
fn values_without_a_seed_differ() {
    let harness = harness();
    let results: BTreeSet<i64> = (0..20)
        .map(|_| {
            let mut integer = harness.resource("random_integer");
            integer.apply(config! { min = -9_000_000_000_000_i64, max = 9_000_000_000_000_i64, seed = "" });
            let result = integer.state().get::<i64>(path!(result));
            assert!((-9_000_000_000_000..=9_000_000_000_000).contains(&result), "{result}");
            result
        })
        .collect();
    assert_eq!(results.len(), 20);
}

#[test]
fn integers_cover_their_range() {
    let harness = harness();
    for (min, max) in [(-1_i64, 1_i64), (i64::MIN, i64::MIN + 1), (i64::MAX, i64::MAX)] {
        let results: BTreeSet<i64> = (0..200)
            .map(|number: i64| {
                let mut integer = harness.resource("random_integer");
                integer.apply(config! { min = min, max = max, seed = number.to_string() });
                integer.state().get::<i64>(path!(result))
            })
            .collect();
        assert_eq!(results, (min..=max).collect());
    }
}

#[test]
fn integer_with_invalid_range_is_rejected() {
    let check = |configuration: Configuration, expected: Expect| {
        expected.assert_eq(&harness().resource("random_integer").try_plan(configuration).error().to_string());
    };
    check(
        config! { min = 2, max = 1 },
        expect![[r#"max: Create Random Integer Error: "max" must be greater than or equal to "min"."#]],
    );
    check(
        config! { min = 0, max = i64::MAX },
        expect![[
            r#"max: Create Random Integer Error: The range from "min" to "max" can contain at most 9223372036854775807 integers."#
        ]],
    );
    assert_eq!(
        harness().resource("random_integer").plan(config! { min = unknown(), max = 1 }).action,
        Action::Create
    );
    let errors = harness().resource("random_integer").try_apply(config! { min = 2, max = 1 }).error();
    assert!(errors.to_string().contains("Create Random Integer Error"), "{errors}");
}

#[test]
fn id_encodings_have_prefix() {
    let harness = harness();
    let mut id = harness.resource("random_id");
    id.import("cloud-,p-9hUg");
    let encodings = ["b64_url", "b64_std", "hex", "dec", "id", "prefix"].map(|name| string(&id, name));
    assert_eq!(
        encodings,
        ["cloud-p-9hUg", "cloud-p+9hUg==", "cloud-a7ef6152", "cloud-2817483090", "p-9hUg", "cloud-"]
    );
    let config = || config! { byte_length = 4, prefix = "cloud-" };
    assert_eq!(id.plan(config()).action, Action::NoOp);

    id.apply(config! { byte_length = 16 });
    assert_eq!(string(&id, "hex").len(), 32);
    let imported = string(&id, "id");
    let mut again = harness.resource("random_id");
    assert_eq!(again.import(&imported), id.state());

    // Version 3.9 accepts zero too.
    let mut empty = harness.resource("random_id");
    empty.apply(config! { byte_length = 0 });
    assert_eq!((string(&empty, "id"), string(&empty, "dec")), (String::new(), "0".to_owned()));
}

#[test]
fn numbers_that_are_negative_or_too_large_are_errors() {
    let harness = harness();
    for (resource, configuration) in [
        ("random_id", config! { byte_length = -1 }),
        ("random_shuffle", config! { input = ["a"], result_count = -1 }),
    ] {
        let error = harness.resource(resource).try_plan(configuration).error().to_string();
        assert!(
            error.contains("Invalid Attribute Value: A whole number of at least 0 is required"),
            "{error}"
        );
    }
    for count in [1_048_577, i64::MAX] {
        for (resource, configuration, summary) in [
            ("random_id", config! { byte_length = count }, "Randomness Generation Error"),
            ("random_bytes", config! { length = count }, "Create Random bytes error"),
            ("random_string", config! { length = count }, "Random Read Error"),
            ("random_pet", config! { length = count }, "Random Read Error"),
            ("random_shuffle", config! { input = ["a"], result_count = count }, "Random Read Error"),
        ] {
            let error = harness.resource(resource).try_apply(configuration).error().to_string();
            let detail = format!(
                "The result can have at most 1048576 bytes, characters, words or strings, but {count} are configured."
            );
            assert_eq!(error, format!("{summary}: {detail}"), "{resource}");
        }
    }
    let mut pet = harness.resource("random_pet");
    pet.apply(config! { length = 1_048_576 });
    assert_eq!(string(&pet, "id").split('-').count(), 1_048_576);
}

#[test]
fn bytes_are_sensitive_and_imported_from_base64() {
    let harness = harness();
    let mut bytes = harness.resource("random_bytes");
    let plan = bytes.apply(config! { length = 32 });
    assert_eq!(plan.action, Action::Create);
    assert!(bytes.state().to_string().contains("hex = (sensitive value)"));
    assert_eq!(string(&bytes, "hex").len(), 64);

    let mut imported = harness.resource("random_bytes");
    assert_eq!(imported.import(&string(&bytes, "base64")), bytes.state());
    // The unused bits of the last character are set.
    let mut imported = harness.resource("random_bytes");
    imported.import("8/fu3f==");
    assert_eq!(string(&imported, "hex"), "f3f7eedd");
    assert_eq!(imported.plan(config! { length = 4 }).action, Action::NoOp);
}

#[test]
fn uuids_have_their_versions() {
    let harness = harness();
    for (resource, version) in [("random_uuid4", '4'), ("random_uuid7", '7')] {
        let mut uuid = harness.resource(resource);
        uuid.apply(config! {});
        let result = string(&uuid, "result");
        assert_eq!((result.len(), result.chars().nth(14)), (36, Some(version)));
        assert_eq!(string(&uuid, "id"), result);
        for id in [
            result.clone(),
            result.to_uppercase(),
            result.replace('-', ""),
            format!("{{{result}}}"),
            format!("URN:uuid:{result}"),
        ] {
            assert_eq!(harness.resource(resource).import(&id), uuid.state());
        }
    }
    let mut uuid = harness.resource("random_uuid");
    // This string is not a UUID of any version.
    uuid.import("6B0F8E7C-3DA2-F35E-0BFB-1A2B3C4D5E6F");
    assert_eq!(string(&uuid, "result"), "6b0f8e7c-3da2-f35e-0bfb-1a2b3c4d5e6f");
    assert_eq!(uuid.plan(config! {}).action, Action::NoOp);
    let mut created = harness.resource("random_uuid");
    created.apply(config! {});
    assert_ne!(string(&created, "id"), string(&uuid, "id"));
}

#[test]
fn version_7_uuids_sort_by_creation_time() {
    let harness = harness();
    let uuids: Vec<String> = (0..50)
        .map(|_| {
            let mut uuid = harness.resource("random_uuid7");
            uuid.apply(config! {});
            string(&uuid, "result")
        })
        .collect();
    assert!(uuids.is_sorted(), "{uuids:?}");
}

#[test]
fn malformed_import_ids_report_summaries_of_original() {
    let harness = harness();
    let check = |resource: &str, id: &str, expected: Expect| {
        expected.assert_eq(&harness.resource(resource).try_import(id).error().to_string());
    };
    check(
        "random_integer",
        "1,2",
        expect![[
            r#"Import Random Integer Error: The import ID must have the format {result},{min},{max} or {result},{min},{max},{seed}, where {result}, {min} and {max} are integers, but got "1,2"."#
        ]],
    );
    check(
        "random_integer",
        "1,a,3",
        expect![[
            r#"Import Random Integer Error: The import ID must have the format {result},{min},{max} or {result},{min},{max},{seed}, where {result}, {min} and {max} are integers, but got "1,a,3"."#
        ]],
    );
    check(
        "random_id",
        "!",
        expect![
            "Import Random ID Error: The import ID must be URL-safe base64 without padding: Invalid symbol 33, offset 0."
        ],
    );
    check(
        "random_bytes",
        "YQ",
        expect!["Import Random bytes Error: The import ID must be base64 with padding: Invalid padding."],
    );
    check(
        "random_uuid",
        "6b0f8e7c3da2f35e0bfb1a2b3c4d5e6f",
        expect![
            "Import Random UUID Error: The import ID must be a UUID such as 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d: invalid group count: expected 5, found 1."
        ],
    );
    check(
        "random_uuid4",
        "6b0f",
        expect![
            "Import Random UUID Error: The import ID must be a UUID such as 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d: invalid length: found 4."
        ],
    );
    check(
        "random_uuid4",
        "x7e4436da-7c71-486e-a57c-830b25fff7bdx",
        expect![
            "Import Random UUID Error: The import ID must be a UUID such as 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d: invalid character: found `x` at 0."
        ],
    );
    check(
        "random_uuid7",
        "",
        expect![
            "Import Random UUID Error: The import ID must be a UUID such as 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d: invalid length: found 0."
        ],
    );
    check(
        "random_pet",
        "able-ox",
        expect!["Resource Import Not Implemented: random_pet does not support import."],
    );
}

#[test]
fn pet_consists_of_words_of_the_lists() {
    let harness = harness();
    // The lists of the original have the same words.
    let lists = Petnames::small();
    assert_eq!([&lists.adverbs, &lists.adjectives, &lists.nouns].map(|it| it.len()), [261, 449, 449]);
    let name = |configuration: Configuration| {
        let mut pet = harness.resource("random_pet");
        pet.apply(configuration);
        string(&pet, "id")
    };
    for length in [1, 2, 3, 5] {
        let name = name(config! { length = length, separator = "." });
        let words: Vec<&str> = name.split('.').collect();
        assert_eq!(words.len(), length);
        let (noun, others) = words.split_last().unwrap();
        assert!(lists.nouns.contains(noun), "{name}");
        if let Some((adjective, adverbs)) = others.split_last() {
            assert!(lists.adjectives.contains(adjective), "{name}");
            assert!(adverbs.iter().all(|adverb| lists.adverbs.contains(adverb)), "{name}");
        }
    }
    assert_eq!(name(config! {}).split('-').count(), 2);
    // As in the original, the separator of the words is in lowercase, and fewer words than one are two.
    let prefixed = name(config! { prefix = "Dev", separator = "X", length = 0 });
    assert!(prefixed.starts_with("DevX") && prefixed[4..].contains('x'), "{prefixed}");
    assert_eq!(name(config! { prefix = "" }).split('-').count(), 2);
}

#[test]
fn shuffle_keeps_null_and_returns_nothing_without_input() {
    let harness = harness();
    let mut shuffle = harness.resource("random_shuffle");
    shuffle.apply(config! { input = ["a", null], result_count = 5 });
    let result: Vec<Option<String>> = shuffle.state().get(path!(result));
    assert_eq!(result.len(), 5);
    assert_eq!(result[..2].iter().cloned().collect::<BTreeSet<_>>(), [None, Some("a".to_owned())].into());
    let mut empty = harness.resource("random_shuffle");
    empty.apply(config! { input = Vec::<String>::new(), result_count = 12 });
    assert!(empty.state().get::<Vec<String>>(path!(result)).is_empty());
}

/// Returns the action that Terraform plans when `keepers` changes.
fn change_of_keepers(resource: &str, prior: Configuration, new: Configuration) -> Action {
    let mut instance = harness().resource(resource);
    instance.apply(prior);
    let before = string(&instance, "hex");
    let action = instance.apply(new).action;
    assert_eq!(action == Action::Replace, string(&instance, "hex") != before);
    action
}

#[test]
fn changed_keepers_replace_unless_the_change_adds_null() {
    let map = |keepers: &[(&str, Option<&str>)]| {
        let keepers = keepers.iter().map(|(key, value)| ((*key).to_owned(), value.map(str::to_owned)));
        Some(keepers.collect::<BTreeMap<String, Option<String>>>())
    };
    let a = map(&[("k", Some("a"))]);
    for (prior, new, expected) in [
        (None, None, Action::NoOp),
        (None, map(&[]), Action::Update),
        (None, map(&[("k", None)]), Action::Update),
        (None, a.clone(), Action::Replace),
        (map(&[]), None, Action::Update),
        (map(&[]), map(&[("k", None)]), Action::Update),
        (map(&[]), a.clone(), Action::Replace),
        (a.clone(), a.clone(), Action::NoOp),
        (a.clone(), map(&[("k", Some("a")), ("l", None)]), Action::Update),
        (a.clone(), map(&[("k", Some("a")), ("l", Some("b"))]), Action::Replace),
        (a.clone(), map(&[("k", Some("b"))]), Action::Replace),
        (a.clone(), map(&[("k", None)]), Action::Replace),
        (a.clone(), map(&[]), Action::Replace),
        (a.clone(), None, Action::Replace),
        (map(&[("k", None)]), map(&[]), Action::Replace),
        (map(&[("k", None)]), a.clone(), Action::Replace),
    ] {
        let config = |keepers| config! { byte_length = 8, keepers = keepers };
        let action = change_of_keepers("random_id", config(prior.clone()), config(new.clone()));
        assert_eq!(action, expected, "{prior:?} -> {new:?}");
    }
    // For `random_bytes`, every change is a replacement.
    let config = |keepers| config! { length = 8, keepers = keepers };
    assert_eq!(change_of_keepers("random_bytes", config(None), config(map(&[]))), Action::Replace);
}

#[test]
fn unknown_keepers_plan_a_replacement() {
    let mut id = harness().resource("random_id");
    id.apply(config! { byte_length = 8 });
    assert_eq!(id.plan(config! { byte_length = 8, keepers = unknown() }).action, Action::Replace);
    let keepers = |value: &str| config! { byte_length = 8, keepers = { a = value } };
    assert_eq!(id.plan(config! { byte_length = 8, keepers = { a = unknown() } }).action, Action::Replace);
    id.apply(keepers("a"));
    assert_eq!(id.plan(keepers("a")).action, Action::NoOp);
}

#[test]
fn plan_succeeds_if_any_configured_value_is_unknown() {
    for (resource, configuration) in [
        ("random_bytes", config! { length = 8, keepers = { a = "b" } }),
        ("random_id", config! { byte_length = 8, prefix = "a" }),
        ("random_integer", config! { min = 1, max = 3, seed = "a" }),
        ("random_password", config! { length = 8, number = true, override_special = "-" }),
        ("random_pet", config! { length = 3, prefix = "a", separator = "." }),
        ("random_shuffle", config! { input = ["a", "b"], result_count = 1, seed = "a" }),
        ("random_string", config! { length = 8, numeric = true, min_upper = 1 }),
        ("random_uuid", config! { keepers = { a = "b" } }),
    ] {
        let mut instance = harness().resource(resource);
        instance.plan_with_unknowns(configuration.clone());
        instance.apply(configuration.clone());
        instance.plan_with_unknowns(configuration);
    }
}

/// The arguments and the import IDs of the examples in the documentation of the original.
#[test]
fn examples_of_the_original_apply() {
    for (resource, id, configuration) in [
        ("random_bytes", Some("8/fu3q+2DcgSJ19i0jZ5Cw=="), config! { length = 16 }),
        ("random_bytes", None, config! { length = 64 }),
        ("random_id", Some("p-9hUg"), config! { byte_length = 4 }),
        ("random_id", Some("my-prefix-,p-9hUg"), config! { byte_length = 4, prefix = "my-prefix-" }),
        ("random_id", None, config! { byte_length = 8, keepers = { ami_id = "ami-1" } }),
        ("random_integer", Some("15390,1,50000"), config! { min = 1, max = 50000 }),
        ("random_password", Some("securepassword"), config! { length = 14 }),
        (
            "random_password",
            None,
            config! { length = 16, special = true, override_special = "!#$%&*()-_=+[]{}<>:?" },
        ),
        ("random_pet", None, config! { keepers = { ami_id = "ami-1" } }),
        (
            "random_shuffle",
            None,
            config! { input = ["us-west-1a", "us-west-1c", "us-west-1d", "us-west-1e"], result_count = 2 },
        ),
        ("random_string", Some("test"), config! { length = 4 }),
        ("random_string", None, config! { length = 16, special = true, override_special = "/@£$" }),
        ("random_uuid", Some("aabbccdd-eeff-0011-2233-445566778899"), config! {}),
        ("random_uuid4", Some("7e4436da-7c71-486e-a57c-830b25fff7bd"), config! {}),
        ("random_uuid7", Some("0197ad85-fe6e-7e92-a2f5-7550daa83030"), config! {}),
    ] {
        let mut instance = harness().resource(resource);
        if let Some(id) = id {
            instance.import(id);
            assert_eq!(instance.plan(configuration).action, Action::NoOp, "{resource}");
        } else {
            assert_eq!(instance.apply(configuration).action, Action::Create);
        }
    }
}
