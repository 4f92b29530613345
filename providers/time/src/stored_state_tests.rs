//! State that versions of the original stored.

use ferroform_testing::{Action, Configuration, config};

use crate::tests::start;

/// All states have schema version 0, but attributes and values differ between the versions of the original.
#[test]
fn stored_states_of_original_produce_empty_plan() {
    let harness = start();
    let check = |type_name: &str, state: &str, config: Configuration| {
        let mut object = harness.resource(type_name);
        object.upgrade_state(0, state);
        assert_eq!(object.refresh().action, Action::NoOp, "{state}");
        assert_eq!(object.plan(config).to_string(), "no change", "{state}");
    };
    // Version 0.3 and earlier, with formats that version 0.4 removed.
    check(
        "time_static",
        r#"{"day": 12, "hour": 6, "id": "2020-02-12T06:36:13Z", "keepers": null, "minute": 36, "month": 2,
            "rfc1123": "Wed, 12 Feb 2020 06:36:13 UTC", "rfc1123z": "Wed, 12 Feb 2020 06:36:13 +0000",
            "rfc3339": "2020-02-12T06:36:13Z", "rfc822": "12 Feb 20 06:36 UTC", "rfc822z": "12 Feb 20 06:36 +0000",
            "rfc850": "Wednesday, 12-Feb-20 06:36:13 UTC", "second": 13, "unix": 1581489373,
            "unixdate": "Wed Feb 12 06:36:13 UTC 2020", "year": 2020}"#,
        config! {},
    );
    // Versions 0.4 to 0.14.
    check(
        "time_static",
        r#"{"day": 12, "hour": 6, "id": "2020-02-12T06:36:13Z", "minute": 36, "month": 2,
            "rfc3339": "2020-02-12T06:36:13Z", "second": 13, "triggers": {"a": "b"}, "unix": 1581489373, "year": 2020}"#,
        config! { triggers = { a = "b" } },
    );
    check(
        "time_offset",
        r#"{"base_rfc3339": "2020-02-12T06:36:13Z", "day": 19, "hour": 6, "id": "2020-02-12T06:36:13Z", "minute": 36,
            "month": 2, "offset_days": 7, "offset_hours": null, "offset_minutes": null, "offset_months": null,
            "offset_seconds": null, "offset_years": null, "rfc3339": "2020-02-19T06:36:13Z", "second": 13,
            "triggers": null, "unix": 1582094173, "year": 2020}"#,
        config! { offset_days = 7 },
    );
    check(
        "time_sleep",
        r#"{"create_duration": "1s", "destroy_duration": null, "id": "2020-02-12T06:36:13Z", "triggers": null}"#,
        config! { create_duration = "1s" },
    );
    // Up to version 0.8, the date and time fields of `time_rotating` are those of the base timestamp.
    check(
        "time_rotating",
        r#"{"day": 15, "hour": 6, "id": "2024-12-15T06:36:13Z", "minute": 36, "month": 12,
            "rfc3339": "2024-12-15T06:36:13Z", "rotation_days": 30, "rotation_hours": null, "rotation_minutes": null,
            "rotation_months": null, "rotation_rfc3339": "2025-01-14T06:36:13Z", "rotation_years": null, "second": 13,
            "triggers": null, "unix": 1734244573, "year": 2024}"#,
        config! { rotation_days = 30 },
    );
    check(
        "time_rotating",
        r#"{"day": 14, "hour": 6, "id": "2024-12-15T06:36:13Z", "minute": 36, "month": 1,
            "rfc3339": "2024-12-15T06:36:13Z", "rotation_days": 30, "rotation_hours": null, "rotation_minutes": null,
            "rotation_months": null, "rotation_rfc3339": "2025-01-14T06:36:13Z", "rotation_years": null, "second": 13,
            "triggers": {"a": "b"}, "unix": 1736836573, "year": 2025}"#,
        config! { rotation_days = 30, triggers = { a = "b" } },
    );
    // The original stores the configured notation of a timestamp. Since version 0.12, the ID has a different notation.
    for id in ["2020-02-12T06:36:13Z", "2020-02-12T06:36:13.5+00:00"] {
        check(
            "time_static",
            &format!(
                r#"{{"day": 12, "hour": 6, "id": "{id}", "minute": 36, "month": 2,
                     "rfc3339": "2020-02-12T06:36:13.5+00:00", "second": 13, "triggers": null, "unix": 1581489373,
                     "year": 2020}}"#
            ),
            config! { rfc3339 = "2020-02-12T06:36:13.5+00:00" },
        );
    }
}
