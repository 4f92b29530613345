//! Unit tests of the provider in process.

use std::time::Duration;

use expect_test::{Expect, expect};
use ferroform::path;
use ferroform_testing::{
    Action, Configuration, Harness, Instance, ProviderCheck, SchemaLock, config, unknown,
};

use crate::Time;

/// The clock of a harness starts at 2025-01-01T00:00:00Z.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) fn start() -> Harness {
    // The state is the only record of an object.
    Harness::start::<Time>(config! {})
}

fn time(instance: &Instance) -> String {
    instance.state().get(path!(rfc3339))
}

pub(crate) fn check(output: impl ToString, expected: Expect) {
    expected.assert_eq(&output.to_string());
}

#[test]
fn stored_states_remain_readable() {
    SchemaLock::of::<Time>().check("schemas.lock");
}

#[test]
fn static_timestamp_defaults_to_creation_time() {
    let harness = start();
    let mut object = harness.resource("time_static");
    harness.clock().advance(Duration::from_millis(1500));
    object.apply(config! {});
    check(
        object.state(),
        expect![[r#"
            rfc3339 = "2025-01-01T00:00:01Z"
            year = 2025
            month = 1
            day = 1
            hour = 0
            minute = 0
            second = 1
            unix = 1735689601
            id = "2025-01-01T00:00:01Z""#]],
    );
    harness.clock().advance(DAY);
    assert_eq!(object.apply(config! {}).action, Action::NoOp);

    let plan = object.apply(config! { triggers = { image = "a" } });
    assert_eq!((plan.action, plan.requires_replace), (Action::Replace, vec![path!(triggers)]));
    assert_eq!(time(&object), "2025-01-02T00:00:01Z");
    object.destroy();
}

#[test]
fn configured_static_timestamp_is_known_in_plan() {
    let harness = start();
    let mut object = harness.resource("time_static");
    let config = |time: &str| config! { rfc3339 = time };
    check(
        object.plan(config("2020-02-12T07:36:13.25+01:00")),
        expect![[r#"
            create
            + rfc3339 = "2020-02-12T07:36:13.25+01:00"
            + year = 2020
            + month = 2
            + day = 12
            + hour = 7
            + minute = 36
            + second = 13
            + unix = 1581489373
            + id = "2020-02-12T07:36:13.25+01:00""#]],
    );
    object.apply(config("2020-02-12T07:36:13.25+01:00"));
    assert_eq!(time(&object), "2020-02-12T07:36:13.25+01:00");
    assert_eq!(
        object.plan(config("2020-02-12T07:36:13.250+01:00")).action,
        Action::NoOp,
        "the same timestamp"
    );
    let other = object.plan(config("2020-02-12T06:36:13Z"));
    assert_eq!((other.action, other.requires_replace), (Action::Replace, vec![path!(rfc3339)]));

    // Practitioners use it for a timestamp that is never reached.
    let mut last = harness.resource("time_static");
    last.apply(config("9999-12-31T23:59:59Z"));
    assert_eq!(last.state().get::<i64>(path!(unix)), 253_402_300_799);
    object.apply_once_known(config! { rfc3339 = unknown() }, config("2021-01-01T00:00:00-00:00"));
    assert_eq!(object.state().get::<i64>(path!(unix)), 1_609_459_200);
}

#[test]
fn offsets_are_added_to_base_timestamp() {
    let harness = start();
    let check = |config: Configuration, expected: &str| {
        let mut object = harness.resource("time_offset");
        let plan = object.apply(config).after.expect("a planned state");
        assert_eq!(plan.get::<String>(path!(rfc3339)), expected, "the plan shows the timestamp");
        assert_eq!(time(&object), expected);
    };
    check(config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_days = 7 }, "2020-02-19T06:36:13Z");
    check(config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_hours = -7 }, "2020-02-11T23:36:13Z");
    check(config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_minutes = 3 }, "2020-02-12T06:39:13Z");
    check(config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_seconds = 50 }, "2020-02-12T06:37:03Z");
    check(config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_months = -14 }, "2018-12-12T06:36:13Z");
    check(config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_years = 3 }, "2023-02-12T06:36:13Z");
    check(
        config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_years = 1, offset_months = 1 },
        "2021-03-12T06:36:13Z",
    );
    // Extra days carry over to the next month.
    check(config! { base_rfc3339 = "2020-01-31T00:00:00Z", offset_months = 1 }, "2020-03-02T00:00:00Z");
    check(config! { base_rfc3339 = "2021-01-31T00:00:00Z", offset_months = 1 }, "2021-03-03T00:00:00Z");
    check(config! { base_rfc3339 = "2020-02-29T00:00:00Z", offset_years = 1 }, "2021-03-01T00:00:00Z");
    // Days are added before months, and months before years.
    check(
        config! { base_rfc3339 = "2020-01-30T00:00:00Z", offset_days = 1, offset_months = 1 },
        "2020-03-02T00:00:00Z",
    );
    check(
        config! { base_rfc3339 = "2020-01-31T00:00:00Z", offset_months = 1, offset_years = 1 },
        "2021-03-02T00:00:00Z",
    );
    check(
        config! { base_rfc3339 = "2020-02-12T06:36:13+05:30", offset_hours = 24 },
        "2020-02-13T06:36:13+05:30",
    );
    check(
        config! { base_rfc3339 = "2020-02-12T23:36:13-03:30", offset_hours = 1 },
        "2020-02-13T00:36:13-03:30",
    );
    check(config! { base_rfc3339 = "2020-02-12T06:36:13.9+00:00", offset_days = 0 }, "2020-02-12T06:36:13Z");
    check(
        config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_hours = 4_000_000 },
        "2476-06-06T22:36:13Z",
    );
    check(config! { base_rfc3339 = "9999-12-31T23:59:58Z", offset_seconds = 1 }, "9999-12-31T23:59:59Z");
}

#[test]
fn timestamp_out_of_range_is_an_error() {
    let harness = start();
    for (base, count) in
        [("9999-12-31T23:59:59Z", 1), ("0000-01-01T00:00:00Z", -1), ("2020-01-01T00:00:00Z", i64::MIN)]
    {
        for config in [
            config! { base_rfc3339 = base, offset_seconds = count },
            config! { base_rfc3339 = base, offset_hours = count },
            config! { base_rfc3339 = base, offset_months = count },
            config! { base_rfc3339 = base, offset_years = count },
        ] {
            let error = harness.resource("time_offset").try_apply(config).error();
            assert!(error.to_string().starts_with("Time Out of Range: "), "{error}");
        }
    }
}

#[test]
fn changed_offset_keeps_base_timestamp() {
    let harness = start();
    let mut object = harness.resource("time_offset");
    let plan = object.apply(config! { offset_days = 1 }).after.unwrap();
    assert!(plan.is_unknown(path!(rfc3339)) && plan.is_unknown(path!(base_rfc3339)));
    harness.clock().advance(DAY);
    check(
        object.apply(config! { offset_days = 2, offset_minutes = 5 }),
        expect![[r#"
            update
            ~ offset_days = 1 -> 2
            + offset_minutes = 5
            ~ rfc3339 = "2025-01-02T00:00:00Z" -> "2025-01-03T00:05:00Z"
            ~ day = 2 -> 3
            ~ minute = 0 -> 5
            ~ unix = 1735776000 -> 1735862700"#]],
    );
    check(
        object.apply(config! { base_rfc3339 = "2024-02-28T12:00:00Z", offset_days = 2, offset_minutes = 5 }),
        expect![[r#"
            update
            ~ base_rfc3339 = "2025-01-01T00:00:00Z" -> "2024-02-28T12:00:00Z"
            ~ rfc3339 = "2025-01-03T00:05:00Z" -> "2024-03-01T12:05:00Z"
            ~ year = 2025 -> 2024
            ~ month = 1 -> 3
            ~ day = 3 -> 1
            ~ hour = 0 -> 12
            ~ unix = 1735862700 -> 1709294700
            ~ id = "2025-01-01T00:00:00Z" -> "2024-02-28T12:00:00Z""#]],
    );
    let same = config! { base_rfc3339 = "2024-02-28T12:00:00+00:00", offset_days = 2, offset_minutes = 5 };
    assert_eq!(object.plan(same).action, Action::NoOp, "the same timestamp");
    // Without a configured base timestamp, the prior value is kept.
    assert_eq!(object.apply(config! { offset_days = 2, offset_minutes = 5 }).action, Action::NoOp);
    object.apply(config! { offset_seconds = 1 });
    assert_eq!(time(&object), "2024-02-28T12:00:01Z");

    let added_null = object.apply(config! { offset_seconds = 1, triggers = { a = null } });
    assert_eq!(added_null.action, Action::Update);
    let replaced = object.apply(config! { offset_seconds = 1, triggers = { a = "b" } });
    assert_eq!((replaced.action, replaced.requires_replace), (Action::Replace, vec![path!(triggers)]));
    assert_eq!(time(&object), "2025-01-02T00:00:01Z");
    object.destroy();
}

#[test]
fn rotation_timestamp_is_base_timestamp_plus_one_interval() {
    let harness = start();
    let check = |config: Configuration, expected: &str| {
        let mut object = harness.resource("time_rotating");
        object.apply(config);
        assert_eq!(object.state().get::<String>(path!(rotation_rfc3339)), expected);
    };
    check(config! { rotation_minutes = 90 }, "2025-01-01T01:30:00Z");
    check(config! { rotation_hours = 1 }, "2025-01-01T01:00:00Z");
    check(config! { rotation_days = 30 }, "2025-01-31T00:00:00Z");
    check(config! { rotation_months = 1 }, "2025-02-01T00:00:00Z");
    check(config! { rotation_years = 1 }, "2026-01-01T00:00:00Z");
    check(config! { rotation_rfc3339 = "2025-01-01T02:00:00+01:00" }, "2025-01-01T02:00:00+01:00");
    check(config! { rfc3339 = "2024-12-31T23:00:00-01:00", rotation_hours = 2 }, "2025-01-01T01:00:00-01:00");
    check(config! { rfc3339 = "2025-01-31T00:00:00Z", rotation_months = 1 }, "2025-03-03T00:00:00Z");
    // The precedence of several intervals.
    check(config! { rotation_days = 1, rotation_hours = 1 }, "2025-01-01T01:00:00Z");
    check(config! { rotation_days = 1, rotation_hours = 1, rotation_minutes = 1 }, "2025-01-01T00:01:00Z");
    check(config! { rotation_minutes = 1, rotation_months = 1 }, "2025-02-01T00:00:00Z");
    check(config! { rotation_months = 1, rotation_years = 1, rotation_days = 1 }, "2026-01-01T00:00:00Z");
    check(config! { rotation_years = 1, rotation_rfc3339 = "2025-06-01T00:00:00Z" }, "2025-06-01T00:00:00Z");
    check(config! { rotation_rfc3339 = "9999-12-31T23:59:59Z" }, "9999-12-31T23:59:59Z");
}

#[test]
fn resource_is_recreated_after_rotation_timestamp() {
    let harness = start();
    let mut object = harness.resource("time_rotating");
    let config = || config! { rotation_days = 30 };
    object.apply(config());
    check(
        object.state(),
        expect![[r#"
        rfc3339 = "2025-01-01T00:00:00Z"
        rotation_days = 30
        rotation_rfc3339 = "2025-01-31T00:00:00Z"
        year = 2025
        month = 1
        day = 31
        hour = 0
        minute = 0
        second = 0
        unix = 1738281600
        id = "2025-01-01T00:00:00Z""#]],
    );
    harness.clock().advance(DAY * 30);
    assert_eq!(object.refresh().action, Action::NoOp, "at the rotation timestamp");
    harness.clock().advance(Duration::from_nanos(1));
    assert_eq!(object.refresh().action, Action::Delete, "after the rotation timestamp");
    assert_eq!(object.apply(config()).action, Action::Create);
    assert_eq!(time(&object), "2025-01-31T00:00:00Z");
    object.destroy();
}

#[test]
fn changed_interval_keeps_base_timestamp() {
    let harness = start();
    let mut object = harness.resource("time_rotating");
    object.apply(config! { rotation_days = 30 });
    harness.clock().advance(DAY);
    check(
        object.apply(config! { rotation_months = 1 }),
        expect![[r#"
        update
        + rotation_months = 1
        ~ rotation_rfc3339 = "2025-01-31T00:00:00Z" -> "2025-02-01T00:00:00Z"
        ~ month = 1 -> 2
        ~ day = 31 -> 1
        ~ unix = 1738281600 -> 1738368000
        - rotation_days = 30"#]],
    );
    let plan = object.plan(config! { rotation_months = unknown() });
    let planned = plan.after.unwrap();
    assert!(planned.is_unknown(path!(rotation_rfc3339)) && planned.is_unknown(path!(unix)));
    assert_eq!((plan.action, planned.get::<String>(path!(rfc3339))), (Action::Update, time(&object)));

    object.apply(config! { rotation_rfc3339 = "2025-01-20T00:00:00Z" });
    assert_eq!(object.state().get::<i64>(path!(day)), 20);
    object.apply_once_known(
        config! { rotation_rfc3339 = unknown() },
        config! { rotation_rfc3339 = "2025-01-25T00:00:00Z" },
    );
    assert_eq!(object.state().get::<i64>(path!(day)), 25);
    let replaced = object.plan(config! { rfc3339 = "2025-01-03T00:00:00Z", rotation_days = 1 });
    assert_eq!((replaced.action, replaced.requires_replace), (Action::Replace, vec![path!(rfc3339)]));

    // A plan without a refresh replaces a resource whose rotation timestamp has passed.
    harness.clock().advance(DAY * 30);
    assert_eq!(object.plan(config! { rotation_rfc3339 = "2025-01-25T00:00:00Z" }).action, Action::NoOp);
    let replaced = object.plan(config! { rotation_days = 60 });
    assert_eq!(
        (replaced.action, replaced.requires_replace),
        (Action::Replace, vec![path!(rotation_rfc3339)])
    );
}

#[test]
fn sleep_delays_create_and_destroy() {
    let harness = start();
    let elapsed = || harness.clock().elapsed();
    let mut object = harness.resource("time_sleep");
    object.apply(config! { create_duration = "90s", destroy_duration = "1.5h" });
    assert_eq!(elapsed(), Duration::from_secs(90));
    assert_eq!(object.state().get::<String>(path!(id)), "2025-01-01T00:01:30Z");

    let updated = object.apply(config! { create_duration = "5m" });
    assert_eq!(
        (updated.action, elapsed()),
        (Action::Update, Duration::from_secs(90)),
        "an update does not sleep"
    );
    assert_eq!(object.state().get::<String>(path!(id)), "2025-01-01T00:01:30Z");
    assert_eq!(object.plan(config! { create_duration = "300s" }).action, Action::NoOp, "an equal duration");

    object.apply(config! { destroy_duration = "250ms" });
    let replaced = object.apply(config! { destroy_duration = "1h", triggers = { a = "b" } });
    assert_eq!((replaced.action, elapsed()), (Action::Replace, Duration::from_millis(90_250)));
    object.destroy();
    assert_eq!(elapsed(), Duration::from_millis(3_690_250));
}

#[test]
fn interrupted_sleep_ends_immediately() {
    let harness = start();
    let mut object = harness.resource("time_sleep");
    harness.stop_after(Duration::from_secs(60));
    check(
        object.try_apply(config! { create_duration = "1h" }).error(),
        expect![
            "Create time sleep error: Operation Canceled. The creation of time_sleep was interrupted. The object is not in the state. Check whether it exists before you apply again."
        ],
    );
    assert!(!object.exists());

    object.apply(config! { destroy_duration = "1h" });
    harness.stop_after(Duration::from_secs(60));
    check(
        object.try_destroy().error(),
        expect![
            "Delete time sleep error: Operation Canceled. The deletion of time_sleep was interrupted. The deletion may have partially completed. The object is still in the state. Apply again to retry the deletion."
        ],
    );
    assert!(object.exists());
    assert_eq!(harness.clock().elapsed(), Duration::from_secs(120));
}

#[test]
fn invalid_configurations_are_rejected() {
    let harness = start();
    let check = |type_name: &str, config: Configuration, expected: Expect| {
        expected.assert_eq(&harness.resource(type_name).try_apply(config).error().to_string());
    };
    check(
        "time_static",
        config! { rfc3339 = "2020-02-12" },
        expect![[
            r#"rfc3339: Invalid RFC3339 String Value: A time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "2020-02-12": the format is invalid."#
        ]],
    );
    check(
        "time_offset",
        config! {},
        expect![[
            r#"Missing Attribute Configuration: At least one of "offset_seconds", "offset_minutes", "offset_hours", "offset_days", "offset_months", "offset_years" must be set, but none is set."#
        ]],
    );
    check(
        "time_offset",
        config! { base_rfc3339 = "now", offset_days = 1.5 },
        expect![[r#"
            base_rfc3339: Invalid RFC3339 String Value: A time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "now": the format is invalid.
            offset_days: Invalid Attribute Value: A whole number is required, but got 1.5."#]],
    );
    check(
        "time_rotating",
        config! { rfc3339 = "2020-02-12T06:36:13Z" },
        expect![[
            r#"Missing Attribute Configuration: At least one of "rotation_minutes", "rotation_hours", "rotation_days", "rotation_months", "rotation_years", "rotation_rfc3339" must be set, but none is set."#
        ]],
    );
    check(
        "time_rotating",
        config! { rotation_days = 0, rotation_rfc3339 = "2020" },
        expect![[r#"
            rotation_days: Invalid Attribute Value: A whole number of at least 1 is required, but got 0.
            rotation_rfc3339: Invalid RFC3339 String Value: A time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "2020": the format is invalid."#]],
    );
    check(
        "time_sleep",
        config! {},
        expect![[
            r#"create_duration: Invalid Attribute Combination: At least one of "create_duration", "destroy_duration" must be set."#
        ]],
    );
    check(
        "time_sleep",
        config! { create_duration = "1", destroy_duration = "1h30m" },
        expect![[r#"
            create_duration: Invalid Attribute Value Match: Must be a number immediately followed by ms (milliseconds), s (seconds), m (minutes) or h (hours), such as 30s, but got "1".
            destroy_duration: Invalid Attribute Value Match: Must be a number immediately followed by ms (milliseconds), s (seconds), m (minutes) or h (hours), such as 30s, but got "1h30m"."#]],
    );
    check(
        "time_sleep",
        config! { create_duration = "9000000h", destroy_duration = "-1s" },
        expect![[r#"
            create_duration: Invalid Time Duration String Value: A duration in the format of Go such as 1h30m is required, but got "9000000h": the duration is longer than 292 years.
            destroy_duration: Invalid Attribute Value Match: Must be a number immediately followed by ms (milliseconds), s (seconds), m (minutes) or h (hours), such as 30s, but got "-1s"."#]],
    );
}

#[test]
fn plan_succeeds_if_any_configured_value_is_unknown() {
    let harness = start();
    for (type_name, config) in [
        ("time_static", config! { rfc3339 = "2025-02-12T06:36:13Z", triggers = { a = "b" } }),
        (
            "time_offset",
            config! { base_rfc3339 = "2025-02-12T06:36:13Z", offset_days = 1, triggers = { a = "b" } },
        ),
        (
            "time_rotating",
            config! { rfc3339 = "2025-02-12T06:36:13Z", rotation_days = 1, triggers = { a = "b" } },
        ),
        ("time_sleep", config! { create_duration = "1s", destroy_duration = "1s", triggers = { a = "b" } }),
    ] {
        let mut object = harness.resource(type_name);
        assert!(object.plan_with_unknowns(config.clone()) >= 3);
        object.apply(config.clone());
        assert!(object.plan_with_unknowns(config) >= 3);
    }
}

#[test]
fn provider_violates_no_invariant() {
    // The check advances the clock, and the next read removes a resource whose rotation timestamp has passed.
    let intervals = || [100_000_i64, 200_000];
    let times = |year: u16| [format!("{year}-02-12T06:36:13Z"), format!("{year}-02-29T06:36:13+01:00")];
    ProviderCheck::<Time>::new()
        .values("time_rotating", path!(rotation_minutes), intervals())
        .values("time_rotating", path!(rotation_hours), intervals())
        .values("time_rotating", path!(rotation_days), intervals())
        .values("time_rotating", path!(rfc3339), times(2032))
        .values("time_rotating", path!(rotation_rfc3339), times(2036))
        .run();
}
