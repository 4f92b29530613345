//! Tests of `random_string` and `random_password`, in process.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use ferroform::path;
use ferroform_testing::{Action, Configuration, Harness, Instance, config, unknown};

use crate::Random;

const BOTH: [&str; 2] = ["random_password", "random_string"];

fn harness() -> Harness {
    Harness::start::<Random>(config! {})
}

fn result(instance: &Instance) -> String {
    instance.state().get(path!(result))
}

fn count(text: &str, is: fn(char) -> bool) -> usize {
    text.chars().filter(|it| is(*it)).count()
}

#[test]
fn string_consists_of_the_allowed_characters() {
    let harness = harness();
    let check = |configuration: Configuration, allowed: &str| {
        for resource in BOTH {
            let mut instance = harness.resource(resource);
            instance.apply(configuration.clone());
            let used: BTreeSet<char> = result(&instance).chars().collect();
            // Each of 80 characters is missing in a string of 3000 with a probability of 4e-17.
            assert_eq!(used, allowed.chars().collect(), "{resource}");
        }
    };
    let (upper, lower, digits) = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789");
    check(config! { length = 3000 }, &format!("{upper}{lower}{digits}!@#$%&*()-_=+[]{{}}<>:?"));
    check(config! { length = 3000, special = false, upper = false }, &format!("{lower}{digits}"));
    check(config! { length = 3000, special = false, lower = false, number = false }, upper);
    check(config! { length = 3000, special = false, lower = false, numeric = false }, upper);
    check(
        config! { length = 3000, override_special = "é€", upper = false, lower = false },
        &format!("{digits}é€"),
    );
    check(
        config! { length = 3000, override_special = "", numeric = false, upper = false, lower = false },
        "!@#$%&*()-_=+[]{}<>:?",
    );
    check(
        config! { length = 3000, override_special = "!", special = false, lower = false, numeric = false },
        upper,
    );
}

#[test]
fn string_has_the_length_and_the_minimums() {
    for resource in BOTH {
        let mut instance = harness().resource(resource);
        instance.apply(config! {
            length = 12, min_upper = 3, min_lower = 2, min_numeric = 4, min_special = 3, override_special = "é€"
        });
        let text = result(&instance);
        assert_eq!(text.chars().count(), 12);
        assert_eq!(count(&text, |it| it.is_ascii_uppercase()), 3);
        assert_eq!(count(&text, |it| it.is_ascii_lowercase()), 2);
        assert_eq!(count(&text, |it| it.is_ascii_digit()), 4);
        assert_eq!(count(&text, |it| "é€".contains(it)), 3);
        // Special characters that are digits do not replace the minimum of digits.
        let mut digits = harness().resource(resource);
        digits
            .apply(config! { length = 6, min_special = 2, min_numeric = 4, override_special = "0123456789" });
        assert_eq!(count(&result(&digits), |it| it.is_ascii_digit()), 6);
        // A minimum applies even if the character class is not allowed, as in the original.
        let mut other = harness().resource(resource);
        other.apply(config! { length = 9, upper = false, min_upper = 2, lower = false, special = false });
        let text = result(&other);
        assert_eq!(
            (count(&text, |it| it.is_ascii_uppercase()), count(&text, |it| it.is_ascii_digit())),
            (2, 7)
        );
    }
}

#[test]
fn number_and_numeric_have_the_same_value() {
    let harness = harness();
    for resource in BOTH {
        let check = |instance: &Instance, expected: bool| {
            let state = instance.state();
            assert_eq!(
                (state.get::<bool>(path!(number)), state.get::<bool>(path!(numeric))),
                (expected, expected)
            );
        };
        let mut instance = harness.resource(resource);
        instance.apply(config! { length = 4 });
        check(&instance, true);
        assert_eq!(instance.plan(config! { length = 4, number = true }).action, Action::NoOp);
        let plan = instance.apply(config! { length = 4, number = false });
        assert_eq!(plan.action, Action::Replace);
        check(&instance, false);
        // Using the other name for the same value is not a change.
        assert_eq!(instance.plan(config! { length = 4, numeric = false }).action, Action::NoOp);
        assert_eq!(
            instance.plan(config! { length = 4, numeric = false, number = false }).action,
            Action::NoOp
        );
        // The default replaces a removed value.
        assert_eq!(instance.apply(config! { length = 4 }).action, Action::Replace);
        check(&instance, true);

        let plan = instance.plan(config! { length = 4, numeric = unknown() }).after.unwrap();
        assert!(plan.is_unknown(path!(number)));
        let mut unknown_first = harness.resource(resource);
        unknown_first.apply_once_known(
            config! { length = 4, number = unknown() },
            config! { length = 4, number = false },
        );
        check(&unknown_first, false);
    }
}

#[test]
fn invalid_arguments_are_rejected() {
    let check = |configuration: Configuration, expected: Expect| {
        let errors =
            BOTH.map(|it| harness().resource(it).try_plan(configuration.clone()).error().to_string());
        assert_eq!(errors[0], errors[1]);
        expected.assert_eq(&errors[0]);
    };
    check(
        config! { length = 0 },
        expect!["length: Invalid Attribute Value: A whole number of at least 1 is required, but got 0."],
    );
    check(
        config! { length = 2, min_upper = 1, min_lower = 2 },
        expect![[
            r#"length: Invalid Attribute Value: "length" must be at least the sum of "min_upper" and "min_lower" and "min_numeric" and "min_special": 3, but it is 2."#
        ]],
    );
    check(
        config! { length = 2, min_special = -1 },
        expect![
            "min_special: Invalid Attribute Value: A whole number of at least 0 is required, but got -1."
        ],
    );
    check(
        config! { length = 2, number = true, numeric = false },
        expect![[r#"
            number: Attribute Deprecated: Use `numeric` instead.
            Number and numeric are both configured with different values: "number" is deprecated. Remove "number" from the configuration and use "numeric" instead."#]],
    );
    check(
        config! { length = 2, number = false, numeric = false, upper = false, lower = false, special = false },
        expect![[r#"
            number: Attribute Deprecated: Use `numeric` instead.
            number: Invalid Attribute Combination: At least one of "number", "special", "upper" and "lower" must be true.
            numeric: Invalid Attribute Combination: At least one of "numeric", "special", "upper" and "lower" must be true."#]],
    );
    check(
        config! { length = 2, number = false, upper = false, lower = false, special = false },
        expect![[r#"
        number: Attribute Deprecated: Use `numeric` instead.
        number: Invalid Attribute Combination: At least one of "number", "special", "upper" and "lower" must be true."#]],
    );
    // Unknown values are validated once they are known.
    for resource in BOTH {
        harness().resource(resource).plan(config! { length = 2, number = unknown(), numeric = true });
        let none = config! { length = 2, numeric = unknown(), upper = false, lower = false, special = false };
        harness().resource(resource).plan(none);
    }
    // An omitted attribute is true.
    for resource in BOTH {
        let mut instance = harness().resource(resource);
        instance.apply(config! { length = 2, numeric = false, upper = false, lower = false });
        let plan = instance.plan(config! { length = 2, upper = false, lower = false, special = false });
        assert_eq!(plan.action, Action::Replace);
        let plan = instance
            .plan(config! { length = 2, numeric = unknown(), upper = false, lower = false, special = false });
        assert_eq!(plan.action, Action::Replace);
    }
}

#[test]
fn empty_override_special_can_be_removed() {
    for resource in BOTH {
        let mut instance = harness().resource(resource);
        instance.apply(config! { length = 4, override_special = "" });
        let before = result(&instance);
        assert_eq!(instance.apply(config! { length = 4 }).action, Action::Update);
        assert_eq!(result(&instance), before);
        for (prior, new) in [
            (None, Some("")),
            (None, Some("-")),
            (Some("-"), None),
            (Some("-"), Some("")),
            (Some(""), Some("-")),
        ] {
            let mut instance = harness().resource(resource);
            instance.apply(config! { length = 4, override_special = prior });
            assert_eq!(instance.plan(config! { length = 4, override_special = new }).action, Action::Replace);
        }
        assert_eq!(
            instance.plan(config! { length = 4, override_special = unknown() }).action,
            Action::Replace
        );
    }
}

#[test]
fn imported_string_plans_no_change_with_its_length() {
    for resource in BOTH {
        let mut instance = harness().resource(resource);
        instance.import("p@ssw0rd");
        assert_eq!(result(&instance), "p@ssw0rd");
        assert_eq!(instance.plan(config! { length = 8 }).action, Action::NoOp);
        assert_eq!(instance.plan(config! { length = 8, keepers = {} }).action, Action::Update);
        // The length of an import is that in bytes.
        let mut other = harness().resource(resource);
        other.import("é");
        assert_eq!(other.plan(config! { length = 2 }).action, Action::NoOp);
    }
    let mut password = harness().resource("random_password");
    password.import("secret");
    let hash: String = password.state().get(path!(bcrypt_hash));
    assert!(bcrypt::verify("secret", &hash).unwrap());
    assert_eq!(password.state().get::<String>(path!(id)), "none");
}

#[test]
fn password_has_a_hash_and_is_sensitive() {
    let mut password = harness().resource("random_password");
    let plan = password.apply(config! { length = 80 });
    assert!(plan.after.unwrap().is_unknown(path!(bcrypt_hash)));
    let (text, hash) = (result(&password), password.state().get::<String>(path!(bcrypt_hash)));
    assert!(hash.starts_with("$2a$10$"), "{hash}");
    assert!(bcrypt::verify(&text[..72], &hash).unwrap());
    assert_eq!(password.state().get::<String>(path!(id)), "none");
    assert!(!format!("{:?}", password.state()).contains(&text));
    assert!(password.state().to_string().contains("bcrypt_hash = (sensitive value)"));

    let mut string = harness().resource("random_string");
    string.apply(config! { length = 8 });
    assert_eq!(string.state().get::<String>(path!(id)), result(&string));
}

#[test]
fn ephemeral_resources_return_new_values() {
    let harness = harness();
    let open =
        |configuration: Configuration| harness.ephemeral_resource("random_password").open(configuration);
    let password = open(config! { length = 20, min_special = 20, override_special = "-" });
    assert_eq!(password.get::<String>(path!(result)), "-".repeat(20));
    assert!(bcrypt::verify("-".repeat(20), &password.get::<String>(path!(bcrypt_hash))).unwrap());
    // The defaults are part of the result.
    for name in [path!(special), path!(upper), path!(lower), path!(numeric)] {
        assert!(password.get::<bool>(name));
    }
    assert_eq!(password.get::<u64>(path!(min_upper)), 0);
    let digits = open(config! { length = 9, special = false, upper = false, lower = false });
    assert_eq!(count(&digits.get::<String>(path!(result)), |it| it.is_ascii_digit()), 9);
    let none = config! { length = 9, special = false, upper = false, lower = false, numeric = false };
    expect![[r#"numeric: Invalid Attribute Combination: At least one of "numeric", "special", "upper" and "lower" must be true."#]].assert_eq(&harness.ephemeral_resource("random_password").try_open(none).error().to_string());

    let bytes = harness.ephemeral_resource("random_bytes").open(config! { length = 3 });
    assert_eq!((bytes.get::<String>(path!(base64)).len(), bytes.get::<String>(path!(hex)).len()), (4, 6));
    let empty = harness.ephemeral_resource("random_bytes").try_open(config! { length = 0 }).error();
    expect!["length: Invalid Attribute Value: A whole number of at least 1 is required, but got 0."]
        .assert_eq(&empty.to_string());
}

/// The attributes that all versions have.
const COMMON: &str = r#""result": "allmine", "length": 7, "special": true, "upper": true, "lower": true, "number": true,
    "min_numeric": 0, "min_upper": 1, "min_lower": 0, "min_special": 0, "override_special": null, "keepers": null"#;

/// An object that was imported by version 3.3.1 or earlier.
const IMPORTED: &str = r#""result": "allmine", "length": null, "special": null, "upper": null, "lower": null, "number": null,
    "min_numeric": null, "min_upper": null, "min_lower": null, "min_special": null, "override_special": null, "keepers": null"#;

/// The hash of `allmine` in the tests of Go's package `bcrypt`, which the original uses.
const HASH: &str = "$2a$10$XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga";

#[test]
fn states_of_earlier_versions_plan_no_change() {
    let check = |resource: &str, version: i64, state: String, hash: Option<&str>| {
        for (attributes, minimum) in [(COMMON, 1), (IMPORTED, 0)] {
            let mut instance = harness().resource(resource);
            instance.upgrade_state(version, &format!("{{ {attributes}{state} }}"));
            let plan = instance.plan(config! { length = 7, min_upper = minimum });
            assert_eq!(plan.to_string(), "no change", "{resource} {version}");
            assert!(instance.state().get::<bool>(path!(numeric)));
            if resource == "random_password" {
                let found: String = instance.state().get(path!(bcrypt_hash));
                assert!(bcrypt::verify("allmine", &found).unwrap());
                assert!(hash.is_none_or(|it| it == found), "a valid hash stays");
            }
        }
    };
    let string = r#", "id": "allmine""#.to_owned();
    check("random_string", 0, string.clone(), None);
    check("random_string", 1, string, None);
    let with = |hash: &str| format!(r#", "id": "none", "bcrypt_hash": "{hash}""#);
    check("random_password", 0, r#", "id": "none""#.to_owned(), None);
    check("random_password", 1, with(HASH), Some(HASH));
    let numeric = |state: String| format!(r#"{state}, "numeric": true"#);
    check("random_password", 2, numeric(with(HASH)), Some(HASH));
    // A password of more than 72 bytes: the hash is that of the first 72.
    let long = "x".repeat(80);
    let mut instance = harness().resource("random_password");
    let attributes = COMMON.replace("allmine", &long).replace("\"length\": 7", "\"length\": 80");
    instance.upgrade_state(2, &format!("{{ {attributes}{} }}", numeric(with(OTHER_HASH))));
    assert!(bcrypt::verify(&long[..72], &instance.state().get::<String>(path!(bcrypt_hash))).unwrap());
    // The hash of a different string, which versions 3.4.0 to 3.4.2 stored, and no hash at all.
    check("random_password", 2, numeric(with(OTHER_HASH)), None);
    check("random_password", 2, numeric(r#", "id": "none", "bcrypt_hash": null"#.to_owned()), None);
}

/// The hash of another string.
const OTHER_HASH: &str = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

#[test]
fn states_of_the_current_version_plan_no_change() {
    let numeric = r#", "numeric": true"#;
    let mut string = harness().resource("random_string");
    string.upgrade_state(2, &format!(r#"{{ {COMMON}{numeric}, "id": "allmine" }}"#));
    assert_eq!(string.plan(config! { length = 7, min_upper = 1 }).to_string(), "no change");
    let mut password = harness().resource("random_password");
    password.upgrade_state(3, &format!(r#"{{ {COMMON}{numeric}, "id": "none", "bcrypt_hash": "{HASH}" }}"#));
    assert_eq!(password.plan(config! { length = 7, min_upper = 1 }).to_string(), "no change");
    // Version 3.4.2 stored an empty string instead of null.
    let empty = COMMON.replace(r#""override_special": null"#, r#""override_special": """#);
    password.upgrade_state(2, &format!(r#"{{ {empty}{numeric}, "id": "none", "bcrypt_hash": "{HASH}" }}"#));
    assert_eq!(password.plan(config! { length = 7, min_upper = 1 }).action, Action::Update);
}
