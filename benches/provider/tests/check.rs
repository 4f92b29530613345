//! The provider with generated configurations and injected faults.

use std::time::Duration;

use ferroform_testing::{Invariant, ProviderCheck};
use terraform_provider_bench::Bench;

/// Its objects exist only in the state.
#[test]
fn provider_violates_no_invariant() {
    let check = ProviderCheck::<Bench>::new().skip(Invariant::DestroyRemovesObject);
    check.budget(Duration::from_secs(2)).run();
}
