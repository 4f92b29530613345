//! The provider with generated configurations and injected faults.

use ferroform_testing::{Invariant, ProviderCheck};
use terraform_provider_bench::Bench;

/// Its objects exist only in the state.
#[test]
fn provider_violates_no_invariant() {
    ProviderCheck::<Bench>::new().skip(Invariant::DestroyRemovesObject).run();
}
