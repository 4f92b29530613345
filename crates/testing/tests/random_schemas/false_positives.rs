//! `check_provider` with random schemas and an ideal API: each violation that it reports is a false positive.

use std::time::Duration;

use ferroform::schema::Schema;
use ferroform_testing::{Invariant, ProviderCheck};

use crate::backend::{ApiBehavior, Backend};
use crate::rng::Rng;
use crate::schema::{self, SchemaSource};
use crate::{CASES, cases, common};

/// Distinguishes the cases from those of the other tests.
const SEED: u64 = 5;

/// One of this many cases is checked by default, because a check takes longer than a case of the other tests.
const STRIDE: usize = 12;

/// The time for one schema.
const BUDGET: Duration = Duration::from_millis(500);

#[test]
fn check_of_a_provider_with_an_ideal_api_reports_no_false_positive() {
    let cases = cases();
    let stride = if cases == (0..CASES) { STRIDE } else { 1 };
    for number in cases.step_by(stride) {
        let fields = schema::resource(&mut Rng::new(number << 8 | SEED));
        if !Schema::new(schema::block(&fields)).definition_errors().is_empty() {
            continue;
        }
        let backend = Backend::new(&fields, ApiBehavior::None, number);
        let provider = common::provider([("test_thing", backend.resource())]);
        // The API has a single object, so the deletion of the old one removes the new one.
        let check = ProviderCheck::raw(provider).skip(Invariant::ReplacementIsComplete);
        if let Some(report) = check.budget(BUDGET).seed(number).find() {
            panic!("case {number}: {report}\n\n{}", SchemaSource(&fields));
        }
    }
}
