//! The harness apart from its invariants: configurations, state, drift, import, interruption and unknown values.

mod common;

use std::time::Duration;

use common::{MockResource, ObjectStore, changed, failure_message, harness, set, string};
use expect_test::{Expect, expect};
use ferroform::schema::{Attribute, Mode, Nested};
use ferroform::value::{Type, Value};
use ferroform::{Diagnostic, path};
use ferroform_testing::{Action, CHECKPOINT, Configuration, config, unknown};

fn optional_block(name: &str, nested: Nested) -> Attribute {
    Attribute::raw_nested(name, nested).with_mode(Mode::Optional)
}

/// Compares the plan of a configuration, or its errors.
fn check(config: Configuration, expected: Expect) {
    let mut instance = changed(|it| {
        let optional = |name: &str, ty| Attribute::raw(name, ty).with_mode(Mode::Optional);
        let block = std::mem::take(&mut it.schema.block);
        it.schema.block = block
            .attribute(optional("count_of", Type::Number))
            .attribute(optional("on", Type::Bool))
            .attribute(optional("labels", Type::map(Type::String)))
            .attribute(optional("endpoint", Type::tuple([Type::String, Type::Number])))
            .attribute(optional("any", Type::Dynamic))
            .block(Attribute::raw_nested("rule", ferroform::schema::Nested::list(common::part())))
            .block(optional_block("limits", Nested::single(common::part())))
            .block(optional_block("alias", Nested::map(common::part())).max_items(1))
            .block(optional_block("disk", Nested::list(common::part())).max_items(1));
    });
    let outcome = failure_message(|| {
        let plan = instance.plan(config);
        panic!("{plan}");
    });
    expected.assert_eq(&outcome);
}

#[test]
fn configuration_is_converted_as_in_terraform() {
    check(
        config! { name = 5, count_of = "12", on = "true", labels = { a = 1, "b c" = true }, endpoint = [1, "2"], tags = ["b", "a", "b"] },
        expect![[r#"
            create
            + name = "5"
            + tags = ["a", "b"]
            + id = (known after apply)
            + etag = (known after apply)
            + count_of = 12
            + on = true
            + labels = {"a" = "1", "b c" = "true"}
            + endpoint = ["1", 2]"#]],
    );
    check(
        config! { name = "a", note = unknown(), tags = [unknown(), null], any = { x = [1, "a"], }, parts = unknown() },
        expect![[r#"
            create
            + name = "a"
            + note = (known after apply)
            + tags = [(known after apply), null]
            + parts = (known after apply)
            + id = (known after apply)
            + etag = (known after apply)
            + any = {x = [1, "a"]}"#]],
    );
    check(
        config! { name = "a", rule { name = "x" } limits { name = "l" }, rule { name = "y" } },
        expect![[r#"
            create
            + name = "a"
            + id = (known after apply)
            + etag = (known after apply)
            + rule[0].name = "x"
            + rule[0].serial = (known after apply)
            + rule[1].name = "y"
            + rule[1].serial = (known after apply)
            + limits.name = "l"
            + limits.serial = (known after apply)"#]],
    );
}

#[test]
fn invalid_configuration_is_rejected_with_every_path() {
    check(
        config! { nmae = "a", tags = "x", on = "maybe", count_of = [1], name = "a", name = "b" },
        expect![[r#"
            the plan of test_thing failed:
            nmae: Unsupported argument: An argument named "nmae" is not expected here. Did you mean "name"?
            name: Attribute redefined: The argument "name" was already set.
            tags: Incorrect attribute value type: Inappropriate value for attribute "tags": set of string required, but have string.
            count_of: Incorrect attribute value type: Inappropriate value for attribute "count_of": number required, but have tuple.
            on: Incorrect attribute value type: Inappropriate value for attribute "on": a bool is required."#]],
    );
    check(
        config! { parts = [{ name = "a" }, { nam = "b" }, 3], labels = { a = ["x"] }, rule = [{ name = "a" }] },
        expect![[r#"
            the plan of test_thing failed:
            name: Missing required argument: The argument "name" is required, but no definition was found.
            parts[1].nam: Unsupported argument: An argument named "nam" is not expected here. Did you mean "name"?
            parts[1].name: Missing required argument: The argument "name" is required, but no definition was found.
            parts[2]: Incorrect attribute value type: Inappropriate value for attribute "parts[2]": object required, but have number.
            labels["a"]: Incorrect attribute value type: Inappropriate value for attribute "labels["a"]": string required, but have tuple.
            rule: Unsupported argument: An argument named "rule" is not expected here. Did you mean to define a block of type "rule"?"#]],
    );
    check(
        config! { name { }, widget { size = 1 } limits { name = "a" } limits { name = "b" } },
        expect![[r#"
            the plan of test_thing failed:
            widget: Unsupported block type: Blocks of type "widget" are not expected here. The schema has: name, note, secret, token, tags, parts, id, etag, count_of, on, labels, endpoint, any, rule, limits, alias, disk.
            name: Unsupported block type: Blocks of type "name" are not expected here. Did you mean to define argument "name"? If so, use the equals sign to assign it a value.
            limits: Duplicate limits block: Only one "limits" block is allowed."#]],
    );
}

#[test]
fn number_and_labels_of_blocks_are_checked_as_in_terraform() {
    check(
        config! { name = "a", alias "x" { name = "ax" } disk { name = "d" } },
        expect![[r#"
            create
            + name = "a"
            + id = (known after apply)
            + etag = (known after apply)
            + alias["x"].name = "ax"
            + alias["x"].serial = (known after apply)
            + disk[0].name = "d"
            + disk[0].serial = (known after apply)"#]],
    );
    check(
        config! { name = "a", alias { name = "a" } alias "x" { name = "b" } alias "x" { name = "c" } },
        expect![[r#"
            the plan of test_thing failed:
            alias: Missing key for alias: All alias blocks must have 1 labels (key).
            alias: Duplicate alias block: A block for alias "x" was already defined. The alias labels must be unique."#]],
    );
    check(
        config! { name = "a", disk "l" { name = "a" } disk { name = "b" } limits "m" { name = "c" } },
        expect![[r#"
            the plan of test_thing failed:
            limits: Extraneous label for limits: No labels are expected for limits blocks.
            disk: Extraneous label for disk: No labels are expected for disk blocks.
            disk: Too many disk blocks: No more than 1 "disk" blocks are allowed"#]],
    );
}

#[test]
fn missing_required_block_is_reported() {
    let mut instance = changed(|it| {
        let block = std::mem::take(&mut it.schema.block);
        it.schema.block = block
            .block(Attribute::raw_nested("owner", Nested::single(common::part())))
            .block(optional_block("disk", Nested::list(common::part())).min_items(2));
    });
    let message = failure_message(|| drop(instance.plan(config! { name = "a", disk { name = "a" } })));
    expect![[r#"
        the plan of test_thing failed:
        owner: Missing owner block: A block of type "owner" is required here.
        disk: Insufficient disk blocks: At least 2 "disk" blocks are required."#]]
    .assert_eq(&message);
}

#[test]
fn with_state_sets_the_prior_state() {
    let state = config! { name = "a", note = "n", id = "7", etag = "t" };
    let mut instance = changed(|_| {}).with_state(state);
    assert_eq!(instance.plan(config! { name = "a", note = "n" }).action, Action::NoOp);
    assert_eq!(instance.state().get::<String>(path!(id)), "7");
    instance.upgrade_state(0, r#"{"name":"a","note":null,"id":"8","etag":"t","gone":true}"#);
    assert_eq!(instance.state().to_string(), "name = \"a\"\nid = \"8\"\netag = \"t\"");
}

#[test]
fn refresh_detects_drift_and_deletion() {
    let objects = ObjectStore::default();
    let mut instance = harness(MockResource::correct(&objects)).resource("test_thing");
    instance.apply(config! { name = "a", note = "n" });
    let edit = |change: fn(Value) -> Value| {
        let mut objects = objects.lock().unwrap();
        let it = objects.remove("a").unwrap();
        objects.insert("a".into(), change(it));
    };
    edit(|it| set(it, "note", "drifted"));
    expect![[r#"
        update
        ~ note = "n" -> "drifted""#]]
    .assert_eq(&instance.refresh().to_string());
    assert_eq!(instance.apply(config! { name = "a", note = "n" }).action, Action::Update);
    objects.lock().unwrap().clear();
    assert_eq!(instance.refresh().action, Action::Delete);
    assert!(!instance.exists());
}

#[test]
fn import_reads_the_object() {
    let objects = ObjectStore::default();
    let harness = harness(MockResource::correct(&objects));
    harness.resource("test_thing").apply(config! { name = "a", note = "n" });
    let mut instance = harness.resource("test_thing");
    assert_eq!(instance.import("a").get::<String>(path!(note)), "n");
    instance.expect_empty_plan(config! { name = "a", note = "n" });
    expect![[r#"
        the plan of test_thing has changes:
        update
        ~ note = "n" -> "m"
        ~ etag = "tag of n" -> (known after apply)"#]]
    .assert_eq(&failure_message(|| instance.expect_empty_plan(config! { name = "a", note = "m" })));
    assert_eq!(instance.try_import("a").error().to_string(), "Resource already managed by Terraform");
    assert_eq!(harness.resource("test_thing").try_import("b").error().to_string(), "Object Not Found");
}

#[test]
fn stop_at_interrupts_the_provider_at_the_log_line() {
    let mut instance = MockResource::correct(&ObjectStore::default());
    let correct = std::mem::replace(&mut instance.create, Box::new(|_, _| Ok(Default::default())));
    instance.create = Box::new(move |call, plan| {
        let mut id = ferroform::value::Object::default();
        id.insert("id", "kept".into());
        call.checkpoint_object(id);
        while !call.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // The engine does not wait this long after the interruption.
        std::thread::sleep(Duration::from_millis(500));
        correct(call, plan)
    });
    let harness = harness(instance);
    harness.stop_at(CHECKPOINT);
    let mut instance = harness.resource("test_thing");
    let errors = instance.try_apply(config! { name = "a" }).error();
    assert!(errors.to_string().starts_with("Operation Canceled"), "{errors}");
    assert!(instance.is_tainted());
    assert_eq!(instance.state().get::<String>(path!(id)), "kept");
    assert!(harness.log().iter().any(|it| it.contains(CHECKPOINT)));
}

mod images {
    use std::time::Duration;

    use expect_test::expect;
    use ferroform::{
        ApplyCx, Args, Context as _, DataCx, DataSource, Model, Planned, ReadCx, Resource, Result, path,
    };
    use ferroform_testing::{Harness, Invariant, config, provider};

    use super::common::failure_message;

    provider! { Images { resource Image = "images_image", data_source Search = "images_image" } }

    /// An image, whose creation takes an hour.
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(import = "{name}")]
    struct Image {
        name: String,
    }

    impl Resource for Image {
        type Provider = Images;

        async fn create(cx: &ApplyCx<Self>, _: Planned<Self>) -> Result<ImageComputed> {
            cx.sleep(Duration::from_secs(3600)).await?;
            Ok(ImageComputed {})
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            if state.name == "debian-11" {
                cx.warn("Image Deprecated");
            }
            Ok(Some(state))
        }

        async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
            Ok(())
        }
    }

    /// An image.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Search {
        name: String,
        #[attr(deprecated = "Use name.")]
        release: Option<String>,
    }

    impl DataSource for Search {
        type Provider = Images;

        async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<SearchComputed> {
            let (_, release) = args.name.split_once('-').context("Invalid Name").at(path!(name))?;
            let release: u32 =
                release.parse().context("Invalid Release").at(path!(version)).at(path!(name))?;
            if release < 12 {
                cx.warn("Image Deprecated");
            }
            Ok(SearchComputed {})
        }
    }

    #[test]
    fn snapshot_contains_the_warnings_of_its_step() {
        let harness = Harness::start::<Images>(config! {});
        let images = harness.data_source("images_image");
        assert!(images.read(config! { name = "debian-12" }).warnings().is_empty());
        let found = images.try_read(config! { name = "debian-11", release = "11" }).ok();
        expect![[r#"
            release: Attribute Deprecated: Use name.
            Image Deprecated"#]]
        .assert_eq(&found.warnings().to_string());
        let mut imported = harness.resource("images_image");
        assert_eq!(imported.import("debian-11").warnings().to_string(), "Image Deprecated");
        assert!(imported.state().warnings().is_empty());
    }

    #[test]
    fn is_ok_is_false_after_an_error() {
        let images = Harness::start::<Images>(config! {}).data_source("images_image");
        assert!(images.try_read(config! { name = "debian-12" }).is_ok());
        assert!(!images.try_read(config! { name = "debian" }).is_ok());
    }

    #[test]
    fn diagnostic_path_that_the_schema_does_not_contain_is_reported() {
        let harness = Harness::start::<Images>(config! {});
        let read = |harness: &Harness| {
            harness.data_source("images_image").try_read(config! { name = "debian-x" }).error().to_string()
        };
        expect![[r#"
            invariant violated: the schema contains the attribute path of a diagnostic
              step: the read of data source images_image
              name.version: the schema of data source images_image does not contain this path of the diagnostic "Invalid Release". `at` prepends its path to the path of a diagnostic"#]]
        .assert_eq(&failure_message(|| read(&harness)));
        let harness = harness.skip_check(Invariant::DiagnosticPathsExist);
        assert!(read(&harness).starts_with("name.version: Invalid Release"));
    }

    #[test]
    fn stop_after_cancels_a_method_that_sleeps_once() {
        let harness = Harness::start::<Images>(config! {});
        let mut image = harness.resource("images_image");
        harness.stop_after(Duration::from_secs(30));
        let errors = image.try_apply(config! { name = "a" }).error();
        assert!(errors.iter().any(|it| it.is_cancellation()), "{errors}");
        assert_eq!(harness.clock().elapsed(), Duration::from_secs(30));
        image.apply(config! { name = "a" });
        assert_eq!(harness.clock().elapsed(), Duration::from_secs(3630));
    }
}

#[test]
fn panic_is_reported_and_next_call_succeeds() {
    let mut instance = MockResource::correct(&ObjectStore::default());
    let correct = std::mem::replace(&mut instance.create, Box::new(|_, _| Ok(Default::default())));
    instance.create = Box::new(move |call, plan| {
        assert!(string(&plan, "note") != "invalid", "invalid note");
        correct(call, plan)
    });
    let mut instance = harness(instance).resource("test_thing");
    let errors = instance.try_apply(config! { name = "a", note = "invalid" }).error().to_string();
    assert!(errors.contains("tests/harness.rs:") && errors.contains("invalid note"), "{errors}");
    assert!(!instance.exists());
    instance.apply(config! { name = "a", note = "valid" });
}

#[test]
fn plan_with_unknowns_tries_every_path() {
    let config = || config! { name = "a", tags = ["x", "y"], parts = [{ name = "p" }, { name = "q" }] };
    // Seven attributes, two tags, two parts, two names.
    assert_eq!(changed(|_| {}).plan_with_unknowns(config()), 12);

    let mut strict = changed(|it| {
        it.capabilities.plan = true;
        it.plan = Box::new(|_, change| match change.config.at(&path!(parts[1].name)) {
            Some(Value::Unknown(_)) => Err(Diagnostic::error("The name of a part must be known").into()),
            _ => Ok(change.plan),
        });
    });
    expect![[r#"
        the plan of test_thing with parts[1].name unknown failed:
        The name of a part must be known"#]]
    .assert_eq(&failure_message(|| strict.plan_with_unknowns(config())));

    let mut guessing = changed(|it| {
        it.capabilities.plan = true;
        it.plan = Box::new(|_, change| {
            let note = change.config.attribute("note").cloned().unwrap_or(Value::Null);
            let etag: Value = if note.is_unknown() { "no note".into() } else { Value::UNKNOWN };
            Ok(set(change.plan, "etag", etag))
        });
    });
    expect![[r#"
        invariant violated: the final plan matches the plan
          step: the plan of test_thing with note unknown in the first plan
          etag: the planned value is "no note", but the provider returned an unknown value"#]]
    .assert_eq(&failure_message(|| guessing.plan_with_unknowns(config())));

    let mut late = changed(|it| {
        it.capabilities.plan = true;
        it.plan = Box::new(|call, change| {
            let note = change.config.attribute("note");
            if change.prior.attribute("note") != note && !note.is_some_and(Value::is_unknown) {
                call.requires_replace(path!(note));
            }
            Ok(change.plan)
        });
    });
    late.apply(config! { name = "a", note = "n" });
    expect![[r#"
        invariant violated: the final plan matches the plan
          step: the plan of test_thing with note unknown in the first plan
          the planned action changed from update to replace"#]]
    .assert_eq(&failure_message(|| late.plan_with_unknowns(config! { name = "a", note = "m" })));
}

#[test]
fn failures_are_explained() {
    let fail = |it: &mut MockResource| it.create = Box::new(|_, _| Err(Diagnostic::error("Full").into()));
    expect![[r#"
        the apply of test_thing failed:
        Full"#]]
    .assert_eq(&failure_message(|| changed(fail).apply(config! { name = "a" })));
    expect!["expected an error, but the apply of test_thing succeeded"]
        .assert_eq(&failure_message(|| changed(|_| {}).try_apply(config! { name = "a" }).error()));
    expect!["test_thing has no state: the object was not created, or it was deleted"]
        .assert_eq(&failure_message(|| changed(|_| {}).state()));
    expect![[r#"Resource Type Not Found: This version of the provider has no resource test_thin."#]]
        .assert_eq(&failure_message(|| {
            harness(MockResource::correct(&ObjectStore::default())).resource("test_thin")
        }));
}

#[test]
fn unexpected_outcome_fails_the_test() {
    let mut thing = changed(|_| {});
    let messages = [
        failure_message(|| thing.try_plan(config! { name = "a" }).error()),
        failure_message(|| thing.try_plan(config! { name = "a" }).deferral()),
        failure_message(|| thing.try_plan(config! {}).deferral()),
        failure_message(|| thing.try_plan(config! {}).partial().action),
    ];
    expect![[r#"
        expected an error, but the plan of test_thing succeeded
        expected a deferral, but the plan of test_thing succeeded
        expected a deferral, but the plan of test_thing failed:
        name: Missing required argument: The argument "name" is required, but no definition was found.
        the plan of test_thing has no partial result"#]]
    .assert_eq(&messages.join("\n"));
}
