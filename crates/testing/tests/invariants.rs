//! A provider that violates each invariant, and the report of the harness.

mod common;

use common::{MockResource, ObjectStore, changed, computed, failure_message, set};
use expect_test::{Expect, expect};
use ferroform::Diagnostic;
use ferroform::schema::{Attribute, Block, IdentitySchema, Keep, Mode};
use ferroform::value::{Object, Type, Value};
use ferroform_testing::{Harness, Invariant, config, unknown};

/// Compares the failure of the correct provider with `change` applied to it.
fn check(change: impl FnOnce(&mut MockResource), expected: Expect) {
    let config =
        || config! { name = "a", note = "n", secret = "hunter22", parts = [{ name = "p" }], tags = ["x"] };
    let mut resource = changed(change);
    expected.assert_eq(&failure_message(|| {
        resource.apply(config());
        resource.apply(config! { name = "a", note = "other", secret = "hunter22", token = "t0ken-t0ken" });
        resource.destroy();
    }));
}

#[test]
fn correct_provider_violates_no_invariant() {
    check(|_| {}, expect!["no failure"]);
}

/// The kind of a diagnostic identifies a failed check, not its summary.
#[test]
fn provider_error_with_summary_of_contract_check_is_no_violation() {
    check(
        |it| {
            it.capabilities.plan = true;
            it.plan = Box::new(|_, _| {
                let detail = "It is invalid. This is a bug in the provider; please report it to its authors.";
                Err(Diagnostic::error("Provider produced invalid plan").detail(detail).into())
            });
        },
        expect![[r#"
            the apply of test_thing failed:
            Provider produced invalid plan: It is invalid. This is a bug in the provider; please report it to its authors."#]],
    );
}

#[test]
fn plan_that_changes_a_configured_value_is_reported() {
    let planning = |resource: &mut MockResource, plan: fn(Value) -> Value| {
        resource.capabilities.plan = true;
        resource.plan = Box::new(move |_, change| Ok(plan(change.plan)));
    };
    check(
        |it| planning(it, |plan| set(plan, "note", "mine")),
        expect![[r#"
            invariant violated: the plan matches the configuration
              step: the plan of test_thing
              note: the configured value is "n", but the provider planned "mine""#]],
    );
    check(
        |it| planning(it, |plan| set(plan, "secret", "mine-mine")),
        expect![[r#"
            invariant violated: the plan matches the configuration
              step: the plan of test_thing
              secret: the configured value is (sensitive value), but the provider planned (sensitive value)"#]],
    );
    check(
        |it| planning(it, |plan| set(plan, "tags", Value::UNKNOWN)),
        expect![[r#"
            invariant violated: the plan matches the configuration
              step: the plan of test_thing
              tags: the configured value is a set of length 1, but the provider planned an unknown value"#]],
    );
    check(
        |it| planning(it, |plan| set(plan, "parts", Value::List(Vec::new()))),
        expect![[r#"
            invariant violated: the plan matches the configuration
              step: the plan of test_thing
              parts: the configured value is a list of length 1, but the provider planned a list of length 0: the number and the paths of the nested objects must be equal"#]],
    );
    check(
        |it| planning(it, |_| Value::Null),
        expect![[r#"
            invariant violated: the plan matches the configuration
              step: the plan of test_thing
              an object must be planned, but the provider returned null"#]],
    );
    check(
        |it| planning(it, |plan| set(plan, "id", 7)),
        expect![[r#"
            invariant violated: the plan matches the configuration
              step: the plan of test_thing
              id: the type in the schema is string, but the provider returned 7"#]],
    );
}

#[test]
fn final_plan_that_changes_a_planned_value_is_reported() {
    let mut resource = changed(|it| {
        it.capabilities.plan = true;
        it.plan = Box::new(|_, change| {
            let seen = change.config.is_wholly_known();
            Ok(set(change.plan, "etag", if seen { "late" } else { "early" }))
        });
    });
    expect![[r#"
        invariant violated: the final plan matches the plan
          step: the final plan of test_thing
          etag: the planned value is "early", but the provider returned "late""#]]
    .assert_eq(&failure_message(|| {
        resource
            .apply_once_known(config! { name = "a", note = unknown() }, config! { name = "a", note = "n" })
    }));
}

#[test]
fn new_state_that_differs_from_the_planned_state_is_reported() {
    let with_result = |resource: &mut MockResource, change_state: fn(Value) -> Value| {
        resource.create = Box::new(move |_, plan| match change_state(common::complete_state(&plan)) {
            Value::Object(it) => Ok(it),
            _ => Ok(Default::default()),
        });
    };
    check(
        |it| with_result(it, |state| set(state, "note", "N")),
        expect![[r#"
            invariant violated: the result of apply matches the plan
              step: `create` of test_thing
              note: the planned value is "n", but the provider returned "N""#]],
    );
    check(
        |it| with_result(it, |state| set(state, "secret", "other-secret")),
        expect![[r#"
            invariant violated: the result of apply matches the plan
              step: `create` of test_thing
              secret: the planned value is (sensitive value), but the provider returned (sensitive value)"#]],
    );
    check(
        |it| with_result(it, |state| set(state, "id", Value::UNKNOWN)),
        expect![[r#"
            invariant violated: the result of apply matches the plan
              step: `create` of test_thing
              id: the value must be known after apply, but the provider returned an unknown value"#]],
    );
    check(
        |it| it.create = Box::new(|_, _| Ok(Default::default())),
        expect![[r#"
            invariant violated: the result of apply matches the plan
              step: `create` of test_thing
              etag: the value must be known after apply, but the provider returned an unknown value
              id: the value must be known after apply, but the provider returned an unknown value
              parts[0].serial: the value must be known after apply, but the provider returned an unknown value"#]],
    );
}

#[test]
fn invalid_state_of_a_read_is_reported() {
    check(
        |it| it.read = Box::new(|_, state| Ok(set(state, "etag", Value::UNKNOWN))),
        expect![[r#"
            invariant violated: the state is valid
              step: the read of test_thing
              etag: the value must be known after apply, but the provider returned an unknown value"#]],
    );
    check(
        |it| it.read = Box::new(|_, state| Ok(set(state, "tags", "x"))),
        expect![[r#"
            invariant violated: the state is valid
              step: the read of test_thing
              tags: the type in the schema is set(string), but the provider returned "x""#]],
    );
}

#[test]
fn drift_after_apply_is_reported() {
    check(
        |it| it.read = Box::new(|_, state| Ok(set(set(state, "note", "N"), "secret", "HUNTER22"))),
        expect![[r#"
            invariant violated: a refresh is idempotent
              step: the read of test_thing after apply
              the second read returned:
              update
              ~ note = "n" -> "N"
              ~ secret = (sensitive value) -> (sensitive value)"#]],
    );
    check(
        |it| it.read = Box::new(|_, _| Ok(Value::Null)),
        expect![[r#"
            invariant violated: a refresh is idempotent
              step: the read of test_thing after apply
              the second read returned:
              delete
              - name = "a"
              - note = "n"
              - secret = (sensitive value)
              - tags = ["x"]
              - parts[0].name = "p"
              - parts[0].serial = "no. 0"
              - id = "id of a"
              - etag = "tag of n""#]],
    );
}

#[test]
fn non_empty_plan_after_apply_is_reported() {
    check(
        |it| {
            it.capabilities.plan = true;
            it.plan = Box::new(|_, change| Ok(set(change.plan, "etag", Value::UNKNOWN)));
        },
        expect![[r#"
            invariant violated: the plan is empty after apply
              step: the plan of test_thing after apply
              the second plan returned:
              update
              ~ etag = "tag of n" -> (known after apply)"#]],
    );
}

#[test]
fn object_that_remains_after_destroy_is_reported() {
    check(
        |it| it.delete = Box::new(|_, _| Ok(())),
        expect![[r#"
            invariant violated: destroy removes the object
              step: the read of test_thing after `delete`
              the read of the deleted object returned an object"#]],
    );
}

#[test]
fn value_that_changes_when_encoded_is_reported() {
    let mut resource = changed(|it| {
        // MessagePack encodes a whole float as its shortest decimal string, which is a different number.
        it.schema.block =
            it.schema.block.clone().attribute(
                ferroform::schema::Attribute::raw("extra", ferroform::value::Type::Number).computed(),
            );
        it.create = Box::new(|_, plan| {
            let mut values = computed(&plan);
            values.insert(
                "extra",
                ferroform::value::Number::from_f64(1e300).map_or(Value::Null, Value::Number),
            );
            Ok(values)
        });
    });
    expect![[r#"
        invariant violated: every value is unchanged by encoding and decoding
          step: `create` of test_thing
          the value changes when it is encoded as MessagePack and decoded"#]]
    .assert_eq(&failure_message(|| resource.apply(config! { name = "a" })));
}

#[test]
fn sensitive_value_in_a_log_line_is_reported() {
    let logging = |it: &mut MockResource| {
        let correct = std::mem::replace(&mut it.create, Box::new(|_, _| Ok(Default::default())));
        it.create = Box::new(move |call, plan| {
            tracing::info!(plan = ?common::string(&plan, "secret"), "creating");
            correct(call, plan)
        });
    };
    check(
        logging,
        expect![[r#"
            invariant violated: secrets are redacted
              step: `create` of test_thing
              secret: a log line contains this sensitive value: INFO creating plan="(sensitive value)""#]],
    );
    let mut resource = changed(|it| {
        it.create = Box::new(|_, plan| {
            Err(ferroform::Diagnostic::error("No")
                .detail(format!("Bad token {}.", common::string(&plan, "token")))
                .into())
        });
    });
    expect!["no failure"]
        .assert_eq(&failure_message(|| resource.try_apply(config! { name = "a", token = "t0ken" }).error()));
}

#[test]
fn skipped_invariant_is_not_checked() {
    let mut resource = MockResource::correct(&ObjectStore::default());
    resource.delete = Box::new(|_, _| Ok(()));
    let harness: Harness = common::harness(resource).skip_check(Invariant::DestroyRemovesObject);
    let mut resource = harness.resource("test_thing");
    resource.apply(config! { name = "a" });
    resource.destroy();
    assert!(!resource.exists());
}

#[test]
fn violation_is_not_accepted_as_an_expected_error() {
    let mut resource = changed(|it| it.create = Box::new(|_, _| Ok(Default::default())));
    let message = failure_message(|| resource.try_apply(config! { name = "a" }).error());
    assert!(message.starts_with("invariant violated: the result of apply matches the plan"), "{message}");
}

#[test]
fn changing_or_missing_identity_is_reported() {
    let known_by_id = |it: &mut MockResource| {
        it.identity = Some(IdentitySchema::raw(Block::new().attribute(Attribute::raw("id", Type::String))));
    };
    check(known_by_id, expect!["no failure"]);
    check(
        |it| {
            known_by_id(it);
            it.schema.block = it.schema.block.clone().map_attributes(|mut it| {
                it.behavior_mut().keep = Keep::Recompute;
                it
            });
            let update = std::mem::replace(&mut it.update, Box::new(|_, _| Ok(Object::default())));
            it.update = Box::new(move |call, plan| {
                let mut values = update(call, plan)?;
                values.insert("id", "another".into());
                Ok(values)
            });
        },
        expect![[r#"
            invariant violated: the identity is stable
              step: `update` of test_thing
              id: the identity of the object is "id of a", but the provider returned "another""#]],
    );
    check(
        |it| {
            known_by_id(it);
            it.create = Box::new(|_, plan| {
                let mut values = computed(&plan);
                values.insert("id", Value::Null);
                Ok(values)
            });
        },
        expect![[r#"
            the apply of test_thing failed:
            Missing Resource Identity After Create: No attribute of the identity is set. This is a bug in the provider; please report it to its authors."#]],
    );
}

#[test]
fn invalid_generated_configuration_is_reported() {
    let generate = |change: fn(&mut MockResource)| {
        let mut resource = changed(change);
        resource.apply(config! { name = "a", token = "t0ken-t0ken" });
        failure_message(|| resource.generate_config())
    };
    assert_eq!(generate(|_| {}), "no failure");
    let token = |it: &mut MockResource| {
        let required = |it: Attribute| if it.is_write_only() { it.with_mode(Mode::Required) } else { it };
        it.schema.block = it.schema.block.clone().map_attributes(required);
    };
    expect![[r#"
        invariant violated: a generated configuration is valid
          step: the generated configuration of test_thing
          token: The argument "token" is required, but it is not set."#]]
    .assert_eq(&generate(token));
}
