//! Configurations that Terraform generates from states.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

use std::collections::{BTreeMap, BTreeSet};

use ferroform::schema::{
    Attribute, AttributeExt as _, Block, Nested, RelatedAttributes, RelationKind, Schema,
};
use ferroform::validators::{between, length_at_least, length_between, warning};
use ferroform::value::Value;
use ferroform::{Diagnostic, Model, path, pattern};
use ferroform_testing::{Configuration, config};

/// Returns the generated configuration on one line. The test kit validates it.
fn generated(schema: Schema, state: Configuration) -> String {
    crate::common::instance(schema, true, Some(state)).generate_config().to_string().replace('\n', ", ")
}

#[test]
fn generated_configuration_omits_computed_values() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Thing {
        name: String,
        empty: String,
        note: Option<String>,
        #[attr(computed)]
        id: String,
        #[attr(optional, computed)]
        size: u64,
        /// The provider may choose a value that a user cannot configure.
        #[attr(optional, computed, validate = between(1, 10))]
        level: u64,
        #[attr(default = crate::common::Word("blue".into()))]
        color: crate::common::Word,
        #[attr(default = "round")]
        shape: String,
        #[attr(write_only)]
        token: Option<String>,
        #[attr(sensitive)]
        secret: String,
    }

    let state = config! {
        name = "a", empty = "", id = "1", size = 5, level = 0, color = "BLUE", shape = "flat", secret = "s"
    };
    assert_eq!(
        generated(Thing::schema(), state),
        r#"name = "a", empty = "", size = 5, shape = "flat", secret = (sensitive value)"#
    );
    let error = crate::common::server(Thing::schema())
        .generate_resource_config("test_thing", &Value::Null)
        .unwrap_err();
    assert!(error.to_string().starts_with("Unexpected Generate Config Request: "), "{error}");
}

#[test]
fn panic_of_a_validator_is_reported_without_the_secret() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Thing {
        #[attr(sensitive, validate = panicking)]
        secret: Option<String>,
    }

    fn panicking(secret: &String) -> Result<(), String> {
        panic!("cannot handle {secret}")
    }

    let state = config! { secret = "hunter22" };
    let thing = crate::common::instance(Thing::schema(), true, Some(state));
    let error = thing.try_generate_config().error().to_string();
    assert!(error.contains("cannot handle (sensitive value)"), "{error}");
}

#[test]
fn generated_configuration_omits_attributes_that_cannot_be_set() {
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(at_least_one_of(note, other))]
    struct Thing {
        #[attr(validate = length_between(1, 5))]
        note: Option<String>,
        other: Option<String>,
        #[attr(min_items = 1)]
        tags: Option<Vec<String>>,
        #[attr(validate = warning(length_at_least(1)))]
        advised: Option<String>,
        inside: Option<Inside>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Inside {
        #[attr(validate = length_at_least(1))]
        note: Option<String>,
        #[attr(default = "d", validate = length_at_least(1))]
        word: String,
    }

    let state =
        config! { note = "", other = "x", tags = [], advised = "", inside = { note = "", word = "" } };
    assert_eq!(generated(Thing::schema(), state), r#"other = "x", advised = """#);
    let state = config! { note = "four", other = null, tags = ["a"], inside = { note = "n", word = "w" } };
    assert_eq!(
        generated(Thing::schema(), state),
        r#"note = "four", tags = ["a"], inside.note = "n", inside.word = "w""#
    );
}

/// Only relations of the schema remove attributes, not diagnostics of `validate`.
#[test]
fn diagnostic_with_summary_of_conflict_keeps_the_attribute() {
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(validate = advice)]
    struct Thing {
        name: String,
        note: Option<String>,
    }

    fn advice(_: &ferroform::Config<Thing>) -> Result<(), Diagnostic> {
        Err(Diagnostic::warning("Invalid Attribute Combination").at(path!(note)))
    }

    let state = config! { name = "a", note = "n" };
    assert_eq!(generated(Thing::schema(), state), r#"name = "a", note = "n""#);
}

#[test]
fn generated_configuration_plans_no_change() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Group {
        #[attr(mixed)]
        rules: Option<BTreeSet<Rule>>,
        #[attr(mixed)]
        by_name: Option<BTreeMap<String, Rule>>,
        #[attr(block, mixed)]
        disk: Vec<Rule>,
        #[attr(block)]
        owner: Option<Owner>,
        #[attr(block)]
        guest: Option<Owner>,
        #[attr(optional, computed)]
        tags: Vec<String>,
    }

    #[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Rule {
        port: u16,
        #[attr(default = "tcp")]
        kind: String,
        #[attr(computed)]
        id: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Owner {
        name: String,
    }

    let state = config! {
        rules = [{ port = 1, kind = "tcp", id = "a" }, { port = 2, kind = "udp", id = "b" }],
        by_name = { x = { port = 3, kind = "tcp", id = "c" } },
        disk { port = 4, kind = "tcp", id = "d" },
        owner { name = "me" },
        tags = ["t"]
    };
    let mut group = crate::common::instance(Group::schema(), true, Some(state));
    let config = group.generate_config();
    assert_eq!(
        config.to_string(),
        "rules = [{kind = \"udp\", port = 2}, {port = 1}]\nby_name[\"x\"].port = 3\ntags = [\"t\"]\ndisk[0].port = \
         4\nowner.name = \"me\""
    );
    let same = config! {
        rules = [{ port = 1 }, { port = 2, kind = "udp" }],
        by_name = { x = { port = 3 } },
        disk { port = 4 },
        owner { name = "me" },
        tags = ["t"]
    };
    assert_eq!(group.plan(same).to_string(), "no change");
}

#[test]
fn generated_configuration_omits_deprecated_optional_attributes() {
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(exactly_one_of(new, old))]
    struct Thing {
        #[attr(deprecated = "use `new`")]
        must: String,
        #[attr(deprecated = "use `new`")]
        old: Option<String>,
        new: Option<String>,
        #[attr(block, deprecated = "no longer used")]
        removed: Option<Removed>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Removed {
        name: String,
    }

    let both = config! { must = "m", old = "o", new = "n", removed { name = "g" } };
    assert_eq!(generated(Thing::schema(), both), r#"must = "m", new = "n""#);
    let only_old = config! { must = "m", old = "o" };
    assert_eq!(
        generated(Thing::schema(), only_old),
        r#"must = "m", old = "o""#,
        "there is nothing else to say"
    );
}

/// Returns a block of optional strings. `c` and `d` are computed too, `d` has a default, and `f` is required.
fn letters() -> Block {
    let string = |name: &str| Attribute::of::<Option<String>>(name);
    Block::new()
        .attribute(string("a"))
        .attribute(string("b"))
        .attribute(string("c").optional_computed())
        .attribute(string("d").default(|| Some("D".to_owned())))
        .attribute(string("e"))
        .attribute(Attribute::of::<String>("f"))
        .attribute(string("g"))
}

#[test]
fn generated_configuration_resolves_conflicts() {
    use ferroform::schema::GroupRule::{AllOrNone, AtLeastOne, AtMostOne, ExactlyOne};
    let relates = |own: &'static str, kind, others: &'static [&'static str]| {
        letters().map_attributes(|it| match &**it.name() == own {
            true => it.relation(kind, others.iter().copied()),
            false => it,
        })
    };
    let group = |together, names: &[&'static str]| letters().group(together, names.iter().copied());
    let table = [
        (letters(), "a = 1, b = 1, c = 1, e = 1, f = 1"),
        (group(AtMostOne, &["a", "b"]), "a = 1, c = 1, e = 1, f = 1"),
        (group(AtMostOne, &["b", "a"]), "a = 1, c = 1, e = 1, f = 1"),
        (group(AtMostOne, &["c", "b"]), "a = 1, b = 1, e = 1, f = 1"),
        (group(ExactlyOne, &["a", "b", "c", "e"]), "a = 1, f = 1"),
        (group(AtLeastOne, &["d", "a"]), "a = 1, b = 1, c = 1, e = 1, f = 1"),
        (group(AtLeastOne, &["g", "d"]), "a = 1, b = 1, c = 1, d = 1, e = 1, f = 1"),
        (group(ExactlyOne, &["g", "d"]), "a = 1, b = 1, c = 1, d = 1, e = 1, f = 1"),
        (group(AllOrNone, &["a", "d", "e"]), "b = 1, c = 1, f = 1"),
        (relates("a", RelationKind::ConflictsWith, &["c"]), "a = 1, b = 1, e = 1, f = 1"),
        (relates("a", RelationKind::ConflictsWith, &["b", "e"]), "a = 1, c = 1, f = 1"),
        (relates("b", RelationKind::Requires, &["a", "d"]), "a = 1, c = 1, e = 1, f = 1"),
        (relates("c", RelationKind::ExactlyOneOf, &["e", "d"]), "a = 1, b = 1, e = 1, f = 1"),
        (relates("d", RelationKind::AtLeastOneOf, &["g"]), "a = 1, b = 1, c = 1, d = 1, e = 1, f = 1"),
        // Removing an attribute also removes the attributes that require it.
        (relates("b", RelationKind::Requires, &["c"]).group(AtMostOne, ["c", "e"]), "a = 1, e = 1, f = 1"),
    ];
    for (block, expected) in table {
        let state = config! { a = "1", b = "1", c = "1", d = "D", e = "1", f = "1" };
        let config = generated(Schema::new(block), state).replace("\"D\"", "1").replace('"', "");
        assert_eq!(config, expected);
    }
}

#[test]
fn generated_configuration_resolves_conflicts_by_pattern() {
    let port = Attribute::of::<Option<u16>>("port");
    let others = RelatedAttributes::default().and([pattern!(any_port)]);
    let rule = Block::new().attribute(port.relation_to(RelationKind::ConflictsWith, others));
    let block = Block::new()
        .attribute(Attribute::of::<bool>("any_port"))
        .attribute(Attribute::raw_nested("rules", Nested::list(rule)));
    let server = crate::common::server(Schema::new(block));
    let rule = |port: Value| Value::object([("port", port)]);
    let state = Value::object([
        ("any_port", Value::Bool(true)),
        ("rules", Value::List(vec![rule(80.into()), rule(Value::Null)])),
    ]);
    let config = server.generate_resource_config("test_thing", &state).unwrap();
    let rules = Value::List(vec![rule(Value::Null), rule(Value::Null)]);
    assert_eq!(config.attribute("rules"), Some(&rules));
}
