//! Results that Terraform rejects. For each of Terraform's rules, a result that violates it and the error of the
//! engine.

use expect_test::{Expect, expect};
use ferroform::value::{Number, Object, Path, Refinements, Value};
use ferroform::{Diagnostics, path};
use ferroform_engine::{ApplyRequest, ImportRequest, PlanRequest, ReadRequest, RpcMetadata, contract};

use crate::misbehaving_provider::{Change, config, object, ports, run, schema, server, with_known_values};

fn messages(found: &Diagnostics) -> String {
    found
        .iter()
        .map(|it| {
            assert!(
                it.detail.ends_with("This is a bug in the provider; please report it to its authors."),
                "{it}"
            );
            let detail = it.detail.split(". This is a bug").next().unwrap_or_default();
            let path = it.path.as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(detail.starts_with(&path), "the detail starts with the path: {it}");
            format!("{}: {detail}", it.summary)
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn set(name: &'static str, value: Value) -> Option<Change> {
    Some(Box::new(move |it| {
        it.insert(name, value.clone());
    }))
}

/// Changes the value at a path.
fn at(path: Path, value: Value) -> Option<Change> {
    Some(Box::new(move |it| {
        let mut object = Value::Object(std::mem::take(it));
        *object.at_mut(&path).unwrap() = value.clone();
        if let Value::Object(changed) = object {
            *it = changed;
        }
    }))
}

fn plan(prior: Value, change: Option<Change>, replace: Vec<Path>) -> (Option<Value>, Diagnostics) {
    let server = server(change, replace);
    let request = PlanRequest {
        type_name: "test_thing".into(),
        prior: Some(prior),
        is_destroy: false,
        config: Some(config()),
        ..PlanRequest::default()
    };
    let response = run(async {
        server.configure_provider(Value::Null, &RpcMetadata::default()).await;
        server.plan_resource_change(request).await
    });
    (response.planned, response.diagnostics)
}

#[test]
fn invalid_plans_are_reported() {
    assert_eq!(messages(&plan(Value::Null, None, vec![]).1), "");
    let string = || Value::string("b");
    let two = || Value::List(ports(&[1, 3]));
    let cases: Vec<(Option<Change>, Expect)> = vec![
        (
            set("name", string()),
            expect![[
                r#"Provider produced invalid plan: name: the configured value is "a", but the provider planned "b""#
            ]],
        ),
        (
            set("name", Value::Null),
            expect![[
                r#"Provider produced invalid plan: name: the configured value is "a", but the provider planned null"#
            ]],
        ),
        (
            set("name", Value::UNKNOWN),
            expect![[
                r#"Provider produced invalid plan: name: the configured value is "a", but the provider planned an unknown value"#
            ]],
        ),
        (
            set("note", string()),
            expect![[
                r#"Provider produced invalid plan: note: the configuration omits it, but the provider planned "b""#
            ]],
        ),
        (
            set("note", Value::UNKNOWN),
            expect![
                "Provider produced invalid plan: note: the configuration omits it, but the provider planned an unknown value"
            ],
        ),
        (
            set("secret", string()),
            expect![
                "Provider produced invalid plan: secret: the configured value is (sensitive value), but the provider planned (sensitive value)"
            ],
        ),
        (
            set("tags", Value::List(vec!["x".into()])),
            expect![
                "Provider produced invalid plan: tags: the configured value is a list of length 2, but the provider planned a list of length 1"
            ],
        ),
        (
            set("size", string()),
            expect![[
                r#"Provider produced invalid plan: size: the type in the schema is number, but the provider returned "b""#
            ]],
        ),
        (
            set("owner", Value::Null),
            expect![
                "Provider produced invalid plan: owner: the configured value is an object, but the provider planned null: the number and the paths of the nested objects must be equal"
            ],
        ),
        (
            at(path!(owner.port), 7.into()),
            expect![
                "Provider produced invalid plan: owner.port: the configured value is 1, but the provider planned 7"
            ],
        ),
        (
            at(path!(list[1].port), 7.into()),
            expect![
                "Provider produced invalid plan: list[1].port: the configured value is 2, but the provider planned 7"
            ],
        ),
        (
            set("list", Value::List(ports(&[1]))),
            expect![
                "Provider produced invalid plan: list: the configured value is a list of length 2, but the provider planned a list of length 1: the number and the paths of the nested objects must be equal"
            ],
        ),
        (
            at(path!(list[0]), Value::Null),
            expect![
                "Provider produced invalid plan: list[0]: the configured value is an object, but the provider planned null"
            ],
        ),
        (
            at(path!(map["k"].port), 7.into()),
            expect![[
                r#"Provider produced invalid plan: map["k"].port: the configured value is 1, but the provider planned 7"#
            ]],
        ),
        (
            set("map", Value::map([("l", ports(&[1]).remove(0))])),
            expect![[r#"
            Provider produced invalid plan: map["k"]: the configuration contains this key, but the provider did not return it
            Provider produced invalid plan: map["l"]: the provider returned this key, but the configuration does not contain it"#]],
        ),
        (
            set("set", Value::set(ports(&[1, 2, 3]))),
            expect![
                "Provider produced invalid plan: set: the configured value is a set of length 2, but the provider planned a set of length 3: the number and the paths of the nested objects must be equal"
            ],
        ),
        (
            set("step", two()),
            expect![
                "Provider produced invalid plan: step[1].port: the configured value is 2, but the provider planned 3"
            ],
        ),
        (
            set("step", Value::UNKNOWN),
            expect![
                "Provider produced invalid plan: step: the configured value is a list of length 2, but the provider planned an unknown value: the number and the paths of the nested objects must be equal"
            ],
        ),
        (
            set("rule", Value::Null),
            expect![
                "Provider produced invalid plan: rule[an element of the set]: the configured value is an object, but the provider planned no such element"
            ],
        ),
        (
            set("rule", Value::UNKNOWN),
            expect![
                "Provider produced invalid plan: rule: the configured value is a set of length 2, but the provider planned an unknown value: the number and the paths of the nested objects must be equal"
            ],
        ),
        (
            at(path!(one.port), 7.into()),
            expect![
                "Provider produced invalid plan: one.port: the configured value is 1, but the provider planned 7"
            ],
        ),
        (
            set("whole", Value::Null),
            expect![
                "Provider produced invalid plan: an object must be planned, but the provider returned null"
            ],
        ),
        (
            set("whole", Value::UNKNOWN),
            expect![
                "Provider produced invalid plan: an object must be planned, but the provider returned an unknown value"
            ],
        ),
    ];
    for (change, expected) in cases {
        expected.assert_eq(&messages(&plan(Value::Null, change, vec![]).1));
    }
}

#[test]
fn unknown_replacement_paths_are_reported() {
    let prior = || with_known_values(plan(Value::Null, None, vec![]).0.unwrap());
    let older = || match prior() {
        Value::Object(mut it) => {
            it.insert("name", Value::from("b"));
            it.insert("list", Value::List(ports(&[1, 3])));
            Value::Object(it)
        }
        it => it,
    };
    let plan_errors = |prior, path: Path| messages(&plan(prior, None, vec![path]).1);
    assert_eq!(plan_errors(older(), path!(name)), "");
    assert_eq!(plan_errors(older(), path!(list[1].port)), "");
    // The value is now unknown, or write-only.
    assert_eq!(plan_errors(older(), path!(id)), "");
    assert_eq!(plan_errors(older(), path!(token)), "");
    expect![
        "Provider produced invalid plan: nmae: the provider requires replacement because of this path, but it does not exist"
    ]
    .assert_eq(&plan_errors(prior(), path!(nmae)));
    expect!["Provider produced invalid plan: list[2].port: the provider requires replacement because of this path, but it does not exist"]
        .assert_eq(&plan_errors(prior(), path!(list[2].port)));
    // Terraform ignores a path whose value does not change, and updates the object in place.
    expect!["Provider produced invalid plan: owner.port: the provider requires replacement because of this path, but its value 1 does not change. Terraform would update the object in place"].assert_eq(&plan_errors(older(), path!(owner.port)));
    expect!["Provider produced invalid plan: secret: the provider requires replacement because of this path, but its value (sensitive value) does not change. Terraform would update the object in place"].assert_eq(&plan_errors(older(), path!(secret)));
    assert_eq!(plan_errors(prior(), path!(name)), "", "the object does not change");
    let both = plan(older(), None, vec![path!(owner.port), path!(name)]);
    assert_eq!(messages(&both.1), "", "another path changes");
    // A path inside an unknown value may exist. A path through a set element ends before the element on the wire.
    let element = path!(set).then(ferroform::value::Step::Element(Box::new(Value::Null))).name("port");
    assert_eq!(plan_errors(prior(), element), "");
    let unknown_value = plan(prior(), set("any", Value::UNKNOWN), vec![path!(any.inside)]);
    assert_eq!(messages(&unknown_value.1), "");
    // Terraform ignores replacement paths of new objects.
    assert_eq!(plan_errors(Value::Null, path!(nmae)), "");
}

fn apply(change: Option<Change>, planned: impl Fn(&mut Object)) -> (Option<Value>, Diagnostics) {
    let Some(Value::Object(mut plan)) = plan(Value::Null, None, vec![]).0 else { panic!("no plan") };
    for name in ["owner", "one"] {
        if let Some(Value::Object(it)) = plan.get_mut(name) {
            it.insert("id", Value::Null);
        }
    }
    let nothing = |it: Vec<Value>| Value::List(it);
    plan.insert("list", nothing(ports(&[1, 2])));
    plan.insert("step", nothing(ports(&[1, 2])));
    plan.insert("map", Value::map([("k", ports(&[1]).remove(0))]));
    plan.insert("set", Value::set(ports(&[1, 2])));
    plan.insert("rule", Value::set(ports(&[1, 2])));
    planned(&mut plan);
    let server = server(change, vec![]);
    let request = ApplyRequest {
        type_name: "test_thing".into(),
        planned: Some(Value::Object(plan)),
        config: Some(config()),
        ..ApplyRequest::default()
    };
    let response = run(async {
        server.configure_provider(Value::Null, &RpcMetadata::default()).await;
        server.apply_resource_change(request).await
    });
    (response.state, response.diagnostics)
}

#[test]
fn inconsistent_results_are_reported() {
    let as_planned = |_: &mut Object| {};
    assert_eq!(messages(&apply(None, as_planned).1), "");
    let string = || Value::string("b");
    let cases: Vec<(Option<Change>, Expect)> = vec![
        (
            set("name", string()),
            expect![[
                r#"Provider produced inconsistent result after apply: name: the planned value is "a", but the provider returned "b""#
            ]],
        ),
        (
            set("note", string()),
            expect![[
                r#"Provider produced inconsistent result after apply: note: the planned value is null, but the provider returned "b""#
            ]],
        ),
        (
            set("secret", string()),
            expect![
                "Provider produced inconsistent result after apply: secret: the planned value is (sensitive value), but the provider returned (sensitive value)"
            ],
        ),
        (
            set("id", Value::UNKNOWN),
            expect![
                "Provider produced inconsistent result after apply: id: the value must be known after apply, but the provider returned an unknown value"
            ],
        ),
        (
            set("id", 7.into()),
            expect![
                "Provider produced inconsistent result after apply: id: the type in the schema is string, but the provider returned 7"
            ],
        ),
        (
            set("size", Value::from(ferroform::value::Number::from_f64(f64::INFINITY).unwrap())),
            expect![
                "Provider produced inconsistent result after apply: size: a finite number is required, but the provider returned an infinite one"
            ],
        ),
        (set("more", string()), expect![""]),
        (
            set("tags", Value::List(vec!["x".into()])),
            expect![
                "Provider produced inconsistent result after apply: tags: the planned value is a list of length 2, but the provider returned a list of length 1"
            ],
        ),
        (
            set("tags", Value::List(vec!["x".into(), "z".into()])),
            expect![[
                r#"Provider produced inconsistent result after apply: tags[1]: the planned value is "y", but the provider returned "z""#
            ]],
        ),
        (
            at(path!(owner.id), string()),
            expect![[
                r#"Provider produced inconsistent result after apply: owner.id: the planned value is null, but the provider returned "b""#
            ]],
        ),
        (
            set("owner", Value::Null),
            expect![
                "Provider produced inconsistent result after apply: owner: the planned value is an object, but the provider returned null"
            ],
        ),
        // Inputs of nested objects come from the plan.
        (at(path!(list[1].port), 7.into()), expect![""]),
        (
            set("list", Value::List(ports(&[1]))),
            expect![
                "Provider produced inconsistent result after apply: list: the planned value is a list of length 2, but the provider returned a list of length 1"
            ],
        ),
        (
            set("map", Value::map([("l", ports(&[1]).remove(0))])),
            expect![[r#"
            Provider produced inconsistent result after apply: map["k"]: the plan contains this key, but the provider did not return it
            Provider produced inconsistent result after apply: map["l"]: the provider returned this key, but the plan does not contain it"#]],
        ),
        (
            set("set", Value::set(ports(&[1, 3]))),
            expect![
                "Provider produced inconsistent result after apply: set: the planned value is a set of length 2, but the provider returned a set of length 2: a planned element has no counterpart"
            ],
        ),
        (
            set("set", Value::set(ports(&[1, 2, 3]))),
            expect![
                "Provider produced inconsistent result after apply: set: the planned value is a set of length 2, but the provider returned a set of length 3: there are more elements than were planned"
            ],
        ),
        (
            at(path!(step[0].id), string()),
            expect![[
                r#"Provider produced inconsistent result after apply: step[0].id: the planned value is null, but the provider returned "b""#
            ]],
        ),
        (
            set("rule", Value::set(ports(&[1]))),
            expect![
                "Provider produced inconsistent result after apply: rule: the planned value is a set of length 2, but the provider returned a set of length 1: a planned element has no counterpart"
            ],
        ),
        (
            set("one", Value::Null),
            expect![
                "Provider produced inconsistent result after apply: one: the planned value is an object, but the provider returned null"
            ],
        ),
    ];
    for (change, expected) in cases {
        let (state, found) = apply(change, as_planned);
        expected.assert_eq(&messages(&found));
        // The object is kept in the state without unknown values.
        assert!(state.unwrap().is_wholly_known());
    }
}

/// A known value must agree with the refinements of the planned unknown value.
#[test]
fn refinements_of_unknown_values_must_hold() {
    let unknown = |known: Refinements| Value::Unknown(Some(Box::new(known)));
    let id = |planned: Refinements, value: Value| {
        messages(&apply(set("id", value), |it| drop(it.insert("id", unknown(planned.clone())))).1)
    };
    let not_null = || Refinements::new().not_null();
    assert_eq!(id(not_null(), "i".into()), "");
    expect!["Provider produced inconsistent result after apply: id: the planned value is an unknown value (not null), but the provider returned null"]
        .assert_eq(&id(not_null(), Value::Null));
    let prefixed = || not_null().with_prefix("i-");
    assert_eq!(id(prefixed(), "i-1".into()), "");
    expect![[r#"Provider produced inconsistent result after apply: id: the planned value is an unknown value (not null, beginning with "i-"), but the provider returned "j-1""#]]
        .assert_eq(&id(prefixed(), "j-1".into()));
    let size = |planned: Refinements, value: i64| {
        messages(&apply(set("size", value.into()), |it| drop(it.insert("size", unknown(planned.clone())))).1)
    };
    let between = || Refinements::new().with_range(Number::from(1)..Number::from(3));
    assert_eq!((size(between(), 1), size(between(), 2)), (String::new(), String::new()));
    expect!["Provider produced inconsistent result after apply: size: the planned value is an unknown value (greater than or equal to 1, less than 3), but the provider returned 3"]
        .assert_eq(&size(between(), 3));
    let marks = |planned: Refinements, value: &[&str]| {
        let value = Value::set(value.iter().map(|it| Value::string(*it)));
        messages(&apply(set("marks", value), |it| drop(it.insert("marks", unknown(planned.clone())))).1)
    };
    let long = || Refinements::new().with_length(1..=2);
    assert_eq!(marks(long(), &["a"]), "");
    expect!["Provider produced inconsistent result after apply: marks: the planned value is an unknown value (with 1 elements or more, with 2 elements or fewer), but the provider returned a set of length 3"]
        .assert_eq(&marks(long(), &["a", "b", "c"]));
    assert!(!marks(long(), &[]).is_empty());
}

#[test]
fn invalid_states_are_reported() {
    let state = || apply(None, |_| {}).0.unwrap();
    let read = |change: Option<Change>| {
        let server = server(change, vec![]);
        let request =
            ReadRequest { type_name: "test_thing".into(), state: Some(state()), ..ReadRequest::default() };
        run(async {
            server.configure_provider(Value::Null, &RpcMetadata::default()).await;
            server.read_resource(request).await
        })
    };
    let import = |change: Option<Change>| {
        let server = server(change, vec![]);
        run(async {
            server
                .import_resource_state(ImportRequest {
                    type_name: "test_thing".into(),
                    id: "a".into(),
                    ..ImportRequest::default()
                })
                .await
        })
        .diagnostics
    };
    let look_up = |change: Option<Change>| {
        let server = server(change, vec![]);
        run(async {
            server
                .read_data_source("test_thing", object([("name", "a".into())]), &RpcMetadata::default())
                .await
        })
        .diagnostics
    };
    assert_eq!(messages(&read(None).diagnostics), "");
    let unknown = expect![
        "Provider produced invalid object: id: the value must be known after apply, but the provider returned an unknown value"
    ];
    let typed = expect![
        "Provider produced invalid object: id: the type in the schema is string, but the provider returned 7"
    ];
    for (value, expected) in [(Value::UNKNOWN, unknown), (7.into(), typed)] {
        let response = read(set("id", value.clone()));
        expected.assert_eq(&messages(&response.diagnostics));
        assert_eq!(response.state, Some(state()), "the prior state is kept");
        expected.assert_eq(&messages(&import(set("id", value.clone()))));
        expected.assert_eq(&messages(&look_up(set("id", value))));
    }
    // Write-only values are not stored, regardless of the result.
    let response = read(set("token", "t".into()));
    assert_eq!((messages(&response.diagnostics), response.state), (String::new(), Some(state())));
}

#[test]
fn inconsistent_final_plans_are_reported() {
    let first = || plan(Value::Null, None, vec![]).0.unwrap();
    let compared = |change: Option<Change>| {
        let last = plan(Value::Null, change, vec![]).0.unwrap_or(Value::Null);
        messages(&contract::check_final_plan(&schema().block, &first(), &last))
    };
    assert_eq!(compared(None), "");
    assert_eq!(compared(set("id", "i".into())), "", "an unknown value may become known");
    let sized = |it: i64| {
        let change = set("size", it.into());
        plan(Value::Null, change, vec![]).0.unwrap()
    };
    let found = contract::check_final_plan(&schema().block, &sized(1), &sized(2));
    expect![
        "Provider produced inconsistent final plan: size: the planned value is 1, but the provider returned 2"
    ]
    .assert_eq(&messages(&found));
    let found = contract::check_final_plan(&schema().block, &sized(1), &first());
    expect!["Provider produced inconsistent final plan: size: the planned value is 1, but the provider returned an unknown value"]
        .assert_eq(&messages(&found));
}
