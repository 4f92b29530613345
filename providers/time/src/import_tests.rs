//! Unit tests of imports.

use expect_test::{Expect, expect};
use ferroform_testing::{Action, Configuration, config};

use crate::tests::{check, start};

#[test]
fn objects_are_imported() {
    let harness = start();
    let import = |type_name: &str, id: &str, config: Configuration, expected: Expect| {
        let mut object = harness.resource(type_name);
        check(object.import(id), expected);
        object.expect_empty_plan(config);
    };
    let base = "2020-02-12T06:36:13Z";
    import(
        "time_static",
        base,
        config! {},
        expect![[r#"
        rfc3339 = "2020-02-12T06:36:13Z"
        year = 2020
        month = 2
        day = 12
        hour = 6
        minute = 36
        second = 13
        unix = 1581489373
        id = "2020-02-12T06:36:13Z""#]],
    );
    import(
        "time_static",
        base,
        config! { rfc3339 = base },
        expect![[r#"
        rfc3339 = "2020-02-12T06:36:13Z"
        year = 2020
        month = 2
        day = 12
        hour = 6
        minute = 36
        second = 13
        unix = 1581489373
        id = "2020-02-12T06:36:13Z""#]],
    );
    import(
        "time_offset",
        "2020-02-12T06:36:13Z,,,7,,-1,",
        config! { offset_days = 7, offset_minutes = -1 },
        expect![[r#"
        base_rfc3339 = "2020-02-12T06:36:13Z"
        offset_days = 7
        offset_minutes = -1
        rfc3339 = "2020-02-19T06:35:13Z"
        year = 2020
        month = 2
        day = 19
        hour = 6
        minute = 35
        second = 13
        unix = 1582094113
        id = "2020-02-12T06:36:13Z""#]],
    );
    import(
        "time_sleep",
        "30s,",
        config! { create_duration = "30s" },
        expect![[r#"
        create_duration = "30s"
        id = "2025-01-01T00:00:00Z""#]],
    );
    import(
        "time_sleep",
        ",1h",
        config! { destroy_duration = "1h" },
        expect![[r#"
        destroy_duration = "1h"
        id = "2025-01-01T00:00:00Z""#]],
    );
    import(
        "time_rotating",
        "2024-12-31T06:36:13Z,,,30,,",
        config! { rotation_days = 30 },
        expect![[r#"
        rfc3339 = "2024-12-31T06:36:13Z"
        rotation_days = 30
        rotation_rfc3339 = "2025-01-30T06:36:13Z"
        year = 2025
        month = 1
        day = 30
        hour = 6
        minute = 36
        second = 13
        unix = 1738218973
        id = "2024-12-31T06:36:13Z""#]],
    );
    let rotation = "2025-02-13T06:36:13Z";
    import(
        "time_rotating",
        "2024-12-31T06:36:13Z,2025-02-13T06:36:13Z",
        config! { rotation_rfc3339 = rotation },
        expect![[r#"
        rfc3339 = "2024-12-31T06:36:13Z"
        rotation_rfc3339 = "2025-02-13T06:36:13Z"
        year = 2025
        month = 2
        day = 13
        hour = 6
        minute = 36
        second = 13
        unix = 1739428573
        id = "2024-12-31T06:36:13Z""#]],
    );

    // The import IDs in the documentation of the original contain zeros that the configuration omits.
    let mut object = harness.resource("time_offset");
    object.import("2020-02-12T06:36:13Z,0,0,7,0,0,0");
    check(
        object.apply(config! { offset_days = 7 }),
        expect![[r#"
        update
        - offset_years = 0
        - offset_months = 0
        - offset_hours = 0
        - offset_minutes = 0
        - offset_seconds = 0"#]],
    );
    let mut object = harness.resource("time_rotating");
    object.import("2024-12-31T06:36:13Z,0,0,30,0,0");
    check(
        object.apply(config! { rotation_days = 30 }),
        expect![[r#"
        update
        - rotation_years = 0
        - rotation_months = 0
        - rotation_hours = 0
        - rotation_minutes = 0"#]],
    );
    // A duration in state can have any Go duration format.
    harness.resource("time_sleep").import("1h30m,-5s");
}

#[test]
fn import_drops_fractions_of_seconds_and_normalizes_utc() {
    let harness = start();
    for (type_name, id, config) in [
        ("time_static", "2020-02-12T06:36:13.25Z", config! { rfc3339 = "2020-02-12T06:36:13Z" }),
        (
            "time_offset",
            "2020-02-12T06:36:13.25+00:00,,,7,,,",
            config! { base_rfc3339 = "2020-02-12T06:36:13Z", offset_days = 7 },
        ),
        (
            "time_rotating",
            "2020-02-12T06:36:13.25Z,2090-02-12T06:36:13.25Z",
            config! { rfc3339 = "2020-02-12T06:36:13Z", rotation_rfc3339 = "2090-02-12T06:36:13Z" },
        ),
    ] {
        let mut object = harness.resource(type_name);
        assert!(object.import(id).to_string().contains("id = \"2020-02-12T06:36:13Z\""), "{type_name}");
        object.expect_empty_plan(config);
    }
}

/// The original stores an empty map for an omitted argument.
#[test]
fn empty_triggers_do_not_replace() {
    let harness = start();
    for (type_name, id, config) in [
        ("time_static", "2020-02-12T06:36:13Z", config! { triggers = {} }),
        ("time_offset", "2020-02-12T06:36:13Z,,,7,,,", config! { offset_days = 7, triggers = {} }),
        (
            "time_rotating",
            "2020-02-12T06:36:13Z,,,36500,,",
            config! { rotation_days = 36_500, triggers = {} },
        ),
        ("time_sleep", "0s,", config! { create_duration = "0s", triggers = {} }),
    ] {
        let mut object = harness.resource(type_name);
        object.import(id);
        let imported = object.state().to_string();
        let plan = object.apply(config.clone());
        assert_eq!(plan.action, Action::Update, "{type_name}");
        assert_eq!(object.state().to_string().replace("triggers = {}\n", ""), imported, "{type_name}");
        object.expect_empty_plan(config);
    }
}

#[test]
fn malformed_import_ids_are_rejected() {
    let harness = start();
    for (type_name, id, expected) in [
        ("time_static", "yesterday", "Import time static error"),
        ("time_offset", "2020-02-12T06:36:13Z,,,7,,", "Unexpected Format of ID"),
        ("time_offset", "2020-02-12T06:36:13Z,,,7,,,,", "Unexpected Format of ID"),
        ("time_offset", "2020-02-12T06:36:13Z,,,,,,", "Unexpected Format of ID"),
        ("time_offset", ",,,7,,,", "Unexpected Format of ID"),
        ("time_offset", "2020-02-12T06:36:13Z,,,x,,,", "Import time offset error"),
        ("time_offset", "2020-02-12,,,7,,,", "Create time offset error"),
        ("time_rotating", "2020-02-12T06:36:13Z", "Unexpected Format of ID"),
        ("time_rotating", "2020-02-12T06:36:13Z,", "Unexpected Format of ID"),
        ("time_rotating", ",2020-02-12T06:36:13Z", "Unexpected Format of ID"),
        ("time_rotating", "2020-02-12T06:36:13Z,,,7", "Unexpected Format of ID"),
        ("time_rotating", "2020-02-12T06:36:13Z,,,,,", "Unexpected Format of ID"),
        ("time_rotating", ",,,7,,", "Unexpected Format of ID"),
        ("time_rotating", "2020-02-12T06:36:13Z,,,7.5,,", "Import time rotating error"),
        ("time_rotating", "2020-02-12T06:36:13Z,,,0,,", "Import time rotating error"),
        ("time_rotating", "2020-02-12T06:36:13Z,tomorrow", "Import time rotating error"),
        ("time_sleep", "30s", "Unexpected Format of ID"),
        ("time_sleep", ",", "Unexpected Format of ID"),
        ("time_sleep", "30s,,", "Unexpected Format of ID"),
        ("time_sleep", "30,", "Import time sleep error"),
        ("time_sleep", "30s,x", "Import time sleep error"),
    ] {
        let errors = harness.resource(type_name).try_import(id).error();
        assert_eq!(errors.iter().next().map(|it| &*it.summary), Some(expected), "{type_name} {id}");
    }
    let passed = harness.resource("time_rotating").try_import("2020-02-12T06:36:13Z,,,30,,").error();
    check(
        passed,
        expect![
            "Cannot import non-existent remote object: The import returned an object, but the read after it found nothing."
        ],
    );
}
