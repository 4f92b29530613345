//! A corpus of configurations, each about one subject, with what Terraform does with it.
//!
//! The files in `configurations` are the cases ([`case`] describes the format), and those in `results` are the records of the
//! real CLIs. The test runs every case with each runner, and compares the result with the record of that runner:
//!
//! | record | runner |
//! |---|---|
//! | `results/AREA/NAME.json` | Terraform 1.11.4, and the simulation in process. Terraform 1.15.5 if the case requires a later version than 1.11 |
//! | `results/AREA/NAME.terraform-1.15.5.json`, `results/AREA/NAME.tofu-1.6.2.json` | that version, if it differs |
//! | `results/AREA/NAME.in-process.json` | the simulation in process, if it differs |
//!
//! | environment variable | effect |
//! |---|---|
//! | `FERROFORM_CORPUS=moved/` | only the cases whose path contains this text |
//! | `FERROFORM_CORPUS_RECORD=1` | writes the records of the CLIs in `FERROFORM_TEST_CLI` instead of comparing with them. Record Terraform 1.11.4 first |
//! | `FERROFORM_E2E=run` | runs the CLIs too: by default, tests of this workspace do not |

mod case;
mod normalize;
mod provider;
mod record;
mod run;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ferroform_testing::workspace::Runner;

use self::case::Case;
use self::record::Record;

#[test]
fn results_equal_the_records_of_the_clis() {
    let filter = env::var("FERROFORM_CORPUS").unwrap_or_default();
    let records = env::var_os("FERROFORM_CORPUS_RECORD").is_some_and(|it| !it.is_empty());
    let cases: Vec<Case> = Case::all().into_iter().filter(|it| it.path.contains(&filter)).collect();
    let mut failures = Vec::new();
    for runner in Runner::all() {
        let mut count = 0;
        for case in cases.iter().filter(|it| it.runs_on(&runner)) {
            let record = Record::of(case, &runner);
            // The main records are those of the CLIs.
            if records && runner == Runner::InProcess && !record.is_separate() {
                continue;
            }
            count += 1;
            // A panic in one case must not hide the differences of others.
            let result = catch_unwind(AssertUnwindSafe(|| run::run(case, &runner)));
            let compared = match result.map(|it| it.map_err(|error| error.to_string())) {
                Ok(Ok(result)) if records => {
                    record.write(&result);
                    Ok(())
                }
                Ok(result) => result.and_then(|it| record.compare(&it)),
                Err(_) => Err("the run panicked".to_owned()),
            };
            failures.extend(compared.err().map(|it| format!("{} on {runner}: {it}", case.path)));
        }
        println!("{runner}: {count} cases");
    }
    assert!(failures.is_empty(), "{} results differ:\n\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_case_has_a_record_and_every_record_a_case() {
    let cases = Case::all();
    assert!(cases.len() >= 400, "only {} cases", cases.len());
    let mut expected = Vec::new();
    for case in &cases {
        assert!(!case.description.is_empty(), "{} has no description", case.path);
        expected.push(case.path.clone());
        expected.extend(case.differs.iter().map(|runner| record::separate_record_name(case, runner)));
    }
    expected.sort();
    assert_eq!(record::names(), expected);
}
