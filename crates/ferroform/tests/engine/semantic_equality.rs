//! Semantic equality in combination with unknown values: the initial plan agrees with the final plan.

use std::collections::BTreeMap;

use crate::common::{Word, check, instance, plan};
use expect_test::expect;
use ferroform::value::{Type, Value};
use ferroform::{ApplyCx, Dynamic, Model, Planned, ReadCx, Resource, Result, Set, path};
use ferroform_engine::{PlanRequest, ReadRequest};
use ferroform_testing::{Action, Configuration, Harness, Literal, config, provider, unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Words {
    note: Option<String>,
    list: Option<Vec<Word>>,
    map: Option<BTreeMap<String, Word>>,
    set: Option<Set<Word>>,
    #[attr(semantic_eq = same_length)]
    counted: Option<Vec<String>>,
    #[attr(requires_replace)]
    fixed: Option<Vec<Word>>,
    #[attr(mixed)]
    pairs: Option<Set<Label>>,
    #[attr(mixed)]
    rows: Option<Vec<Label>>,
    #[attr(mixed)]
    keyed: Option<Set<Keyed>>,
    #[attr(mixed)]
    keyed_rows: Option<Vec<Keyed>>,
    #[attr(computed)]
    stamp: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Label {
    w: Word,
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    s: Option<String>,
    wd: Option<Word>,
    host: Option<std::net::Ipv6Addr>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Keyed {
    #[attr(key)]
    k: String,
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    s: Option<String>,
    w: Option<Word>,
    deep: Option<Deep>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Deep {
    w: Option<Word>,
    n: Option<i64>,
}

fn same_length(old: &[String], new: &[String]) -> bool {
    old.len() == new.len()
}

fn at(name: &str, value: impl Into<Literal>) -> Configuration {
    Configuration::new().set(name, value)
}

/// A string that may become the prior string of a matching element is unknown.
#[test]
fn unknown_set_element_is_new() {
    check::<Words>(
        Some(config! { pairs = [{ w = "A", wd = "b", id = "1" }], stamp = "s" }),
        config! { pairs = [{ w = "a", wd = unknown() }] },
        expect![[r#"
            update
            ~ pairs = [{id = "1", w = "A", wd = "b"}] -> [{id = (known after apply), w = (known after apply), wd = (known after apply)}]
            ~ stamp = "s" -> (known after apply)"#]],
    );
    // The string differs from that of every prior element.
    check::<Words>(
        Some(config! { pairs = [{ w = "A", wd = "b", id = "1" }], stamp = "s" }),
        config! { pairs = [{ w = "x", wd = unknown() }] },
        expect![[r#"
            update
            ~ pairs = [{id = "1", w = "A", wd = "b"}] -> [{id = (known after apply), w = "x", wd = (known after apply)}]
            ~ stamp = "s" -> (known after apply)"#]],
    );
    check::<Words>(
        Some(
            config! { keyed = [{ k = "k", s = "A", w = "W", deep = { w = "D", n = 1 }, id = "1" }, { k = "l", s = "Z", id = "2" }], stamp = "s" },
        ),
        config! { keyed = [{ k = unknown(), s = "a", w = "w", deep = { w = "d", n = 2 } }, { k = "l", s = "z" }] },
        expect![[r#"
            update
            ~ keyed = [{deep = {n = 1, w = "D"}, id = "1", k = "k", s = "A", w = "W"}, {id = "2", k = "l", s = "Z"}] -> [{deep = {n = 2, w = (known after apply)}, id = (known after apply), k = (known after apply), s = (known after apply), w = (known after apply)}, {id = "2", k = "l", s = "Z"}]
            ~ stamp = "s" -> (known after apply)"#]],
    );
}

/// Terraform accepts a collection either as configured or with its prior value, but no mixture of both.
#[test]
fn collection_keeps_configured_order() {
    let state = || config! { list = ["A", "B"], map = { x = "A" }, set = ["A", "B"], counted = ["x", "y"], fixed = ["A"], stamp = "s" };
    // A semantically equal collection is an update without a call of `update`, replacement or new computed values.
    let lowercase = || config! { list = ["a", "b"], map = { x = "a" }, set = ["b", "a"], counted = ["y", "x"], fixed = ["a"] };
    check::<Words>(
        Some(state()),
        lowercase(),
        expect![[r#"
            update
            ~ list = ["A", "B"] -> ["a", "b"]
            ~ map = {"x" = "A"} -> {"x" = "a"}
            ~ set = ["A", "B"] -> ["a", "b"]
            ~ counted = ["x", "y"] -> ["y", "x"]
            ~ fixed = ["A"] -> ["a"]"#]],
    );
    assert_eq!(instance(Words::schema(), false, Some(state())).plan(lowercase()).action, Action::Update);
    assert_eq!(
        plan::<Words>(Some(state()), at("fixed", Literal::Tuple(vec![unknown()]))).action,
        Action::Replace
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Tags {
    tags: Vec<Word>,
    #[attr(computed)]
    stamp: i64,
}

provider! { Test { resource Tags = "test_tags" } }

impl Resource for Tags {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<TagsComputed> {
        Ok(TagsComputed { stamp: 1 })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<TagsComputed> {
        Ok(TagsComputed { stamp: prior.stamp + 1 })
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// The state contains the configured strings. `update` is not called.
#[test]
fn semantically_equal_list_is_an_update_without_method_call() {
    let mut tags = Harness::start::<Test>(config! {}).resource("test_tags");
    for (words, action, stamp) in [
        (["A", "B"], Action::Create, 1),
        (["a", "b"], Action::Update, 1),
        (["a", "b"], Action::NoOp, 1),
        (["a", "c"], Action::Update, 2),
    ] {
        assert_eq!(tags.apply(config! { tags = words }).action, action);
        assert_eq!(tags.state().get::<i64>(path!(stamp)), stamp);
    }
    let (first, last) = (config! { tags = ["A", (unknown())] }, config! { tags = ["A", "C"] });
    tags.apply_once_known(first, last);
    assert_eq!(tags.state().get::<i64>(path!(stamp)), 2);
}

/// A list keeps the prior value of the same index, if it is semantically equal.
#[test]
fn list_keeps_semantically_equal_values_at_their_index() {
    check::<Words>(
        Some(
            config! { keyed_rows = [{ k = "a", s = "X", w = "Y", id = "1" }, { k = "b", s = "Z", id = "2" }], stamp = "s" },
        ),
        config! { keyed_rows = [{ k = unknown(), s = "x", w = "y" }, { k = "a", s = "z" }] },
        expect![[r#"
            update
            ~ keyed_rows[0].k = "a" -> (known after apply)
            ~ keyed_rows[0].id = "1" -> (known after apply)
            ~ keyed_rows[1].k = "b" -> "a"
            ~ keyed_rows[1].id = "2" -> "1"
            ~ stamp = "s" -> (known after apply)"#]],
    );
}

#[test]
fn plan_with_unknown_values_agrees_with_final_plan() {
    let words = ["A", "a", "b"];
    let mut tried = 0;
    let mut law = |state: Configuration, config: Configuration| {
        let state = state.set("stamp", "s");
        tried += instance(Words::schema(), true, Some(state)).plan_with_unknowns(config);
    };
    let label = |w: &str, other: &str, id: Option<&str>| {
        let label =
            config! { w = w, s = other, wd = other, host = (if other == "b" { "::1" } else { "0::1" }) };
        Literal::from(id.into_iter().fold(label, |label, id| label.set("id", id)))
    };
    let keyed = |k: &str, other: &str, id: Option<&str>| {
        let keyed = config! { k = k, s = other, w = other, deep = { w = other, n = 1 } };
        Literal::from(id.into_iter().fold(keyed, |keyed, id| keyed.set("id", id)))
    };
    type Make<'a> = &'a dyn Fn(&str, &str, Option<&str>) -> Literal;
    let nested: [(&str, Make<'_>); 4] =
        [("pairs", &label), ("rows", &label), ("keyed", &keyed), ("keyed_rows", &keyed)];
    for (name, make) in nested {
        let states = [
            vec![make("A", "A", Some("1"))],
            vec![make("A", "A", Some("1")), make("B", "a", Some("2"))],
            vec![make("A", "b", Some("1")), make("A", "A", Some("2"))],
        ];
        for state in states {
            // Keys are unique.
            if name.starts_with("keyed") && state[0] == make("A", "b", Some("1")) {
                continue;
            }
            for a in words {
                for b in words {
                    law(
                        at(name, Literal::Tuple(state.clone())),
                        at(name, Literal::Tuple(vec![make(a, b, None)])),
                    );
                    for c in words {
                        let two = vec![
                            make(a, b, None),
                            make(if name.starts_with("keyed") { "B" } else { c }, c, None),
                        ];
                        law(at(name, Literal::Tuple(state.clone())), at(name, Literal::Tuple(two)));
                    }
                }
            }
        }
    }
    for a in words {
        for b in words {
            let two = || Literal::Tuple(vec![a.into(), b.into()]);
            let state = || config! { list = ["A", "B"], map = { x = "A", y = "B" }, counted = ["A", "B"], set = ["A", "B"] };
            law(state(), at("list", two()));
            law(state(), config! { map = { x = a, y = b } });
            law(state(), at("counted", two()));
            law(state(), at("set", two()));
        }
    }
    assert!(tried > 1_000, "{tried}");
}

/// Sets inside elements of a list or set. Their prior values depend on the matching element.
#[derive(Model, Clone, Debug, PartialEq)]
struct Boxes {
    #[attr(mixed)]
    boxes: Vec<Crate>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Crate {
    size: i64,
    #[attr(mixed)]
    inside: Set<Label>,
    deep: Option<Holder>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Holder {
    words: Set<Deep>,
}

/// The matching list element depends on an unknown value, and so do the prior values of its set.
#[test]
fn set_inside_a_list_element_is_matched() {
    let label = |w: &str, id: Option<&str>| {
        let label = config! { w = w, s = w };
        Literal::from(id.into_iter().fold(label, |label, id| label.set("id", id)))
    };
    let of = |size: i64, w: &str, ids: Option<[&str; 2]>| {
        let [one, two] = [0, 1].map(|at| label([w, "z"][at], ids.map(|it| it[at])));
        config! { size = size, inside = [(one), (two)], deep = { words = [{ w = w, n = 1 }] } }
    };
    let mut tried = 0;
    for (a, b, c) in [("a", "B", "c"), ("A", "a", "b"), ("b", "A", "A"), ("c", "c", "c"), ("a", "a", "a")] {
        for size in [1, 2] {
            let state = config! { boxes = [(of(1, "A", Some(["1", "2"]))), (of(1, "B", Some(["3", "4"])))] };
            let config = config! { boxes = [(of(size, a, None)), (of(1, b, None)), (of(2, c, None))] };
            tried += instance(Boxes::schema(), true, Some(state)).plan_with_unknowns(config);
        }
    }
    assert!(tried > 100, "{tried}");
}

/// A dynamic attribute, which can contain a null with a type, such as `tostring(null)`.
#[derive(Model, Clone, Debug, PartialEq)]
struct Anything {
    #[attr(requires_replace)]
    any: Option<Dynamic>,
    #[attr(computed)]
    stamp: String,
}

#[test]
fn typed_null_of_dynamic_attribute_is_null() {
    let null = || Value::dynamic(Type::String, Value::Null);
    let object = |any: Value, stamp: Value| Value::object([("any", any), ("stamp", stamp)]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let plan = |prior: Value| {
        let request = PlanRequest {
            type_name: "test_thing".into(),
            prior: Some(prior),
            is_destroy: false,
            config: Some(object(null(), Value::Null)),
            ..PlanRequest::default()
        };
        let response =
            runtime.block_on(crate::common::server(Anything::schema()).plan_resource_change(request));
        assert_eq!(response.diagnostics.to_string(), "");
        assert_eq!(response.requires_replace, []);
        response.planned.unwrap()
    };
    // Terraform requires the configured null, and the plan contains no other change.
    let state = || object(null(), "1".into());
    assert_eq!(plan(state()), state());
    assert_eq!(plan(object(Value::Null, "1".into())), state());

    let reader = crate::common::reader(Anything::schema(), object(Value::Null, "1".into()));
    let request =
        ReadRequest { type_name: "test_thing".into(), state: Some(state()), ..ReadRequest::default() };
    assert_eq!(runtime.block_on(reader.read_resource(request)).state, Some(state()));
}
