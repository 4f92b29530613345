//! The functions of the provider.

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::Workspace;
use serde_json::json;

use crate::{ADDRESS, BINARY, Outcome};

#[test]
fn functions_return_the_objects_of_the_original() -> Outcome {
    let Some(cli) = Cli::for_test_of(&[Feature::ProviderFunctions]) else { return Ok(()) };
    let workspace = Workspace::new(&cli)?.provider(ADDRESS, BINARY)?;
    let calls = [
        (
            "duration_parse(\"1h30m0.5s\")",
            json!({
                "hours": 1.500_138_888_888_889, "microseconds": 5_400_500_000_i64, "milliseconds": 5_400_500,
                "minutes": 90.008_333_333_333_34, "nanoseconds": 5_400_500_000_000_i64, "seconds": 5400.5,
            }),
        ),
        (
            "rfc3339_parse(\"1996-12-19T16:39:57-08:00\")",
            json!({
                "day": 19, "hour": 16, "iso_week": 51, "iso_year": 1996, "minute": 39, "month": 12,
                "month_name": "December", "second": 57, "unix": 851_042_397, "weekday": 4, "weekday_name": "Thursday",
                "year": 1996, "year_day": 354,
            }),
        ),
        (
            "unix_timestamp_parse(1690328596)",
            json!({
                "day": 25, "hour": 23, "iso_week": 30, "iso_year": 2023, "minute": 43, "month": 7, "month_name": "July",
                "rfc3339": "2023-07-25T23:43:16Z", "second": 16, "weekday": 2, "weekday_name": "Tuesday", "year": 2023,
                "year_day": 206,
            }),
        ),
    ];
    let outputs = calls.iter().enumerate().map(|(index, (call, _))| {
        format!("output \"output{index}\" {{\n  value = provider::time::{call}\n}}\n")
    });
    workspace.write("main.tf", &outputs.collect::<String>())?;
    workspace.apply()?;
    for (index, (call, expected)) in calls.iter().enumerate() {
        assert_eq!(workspace.output(&format!("output{index}"))?, *expected, "{call}");
    }
    assert!(workspace.plan()?.is_empty());

    for (call, parameter, text) in [
        ("duration_parse(\"1d\")", "duration", "\"1d\" is not a valid duration string"),
        ("rfc3339_parse(\"abcdef\")", "timestamp", "\"abcdef\" is not a valid RFC3339 timestamp"),
        ("unix_timestamp_parse(1.5)", "unix_timestamp", "whole number"),
    ] {
        workspace.write("main.tf", &format!("output \"a\" {{\n  value = provider::time::{call}\n}}\n"))?;
        let failed = workspace.run(&["plan"])?.expect_failure()?;
        assert!(failed.contains(&format!("Invalid value for \"{parameter}\" parameter")), "{failed}");
        assert!(failed.contains(text), "{failed}");
    }
    Ok(())
}
