//! x
use std::time::Duration;
use ferroform::schema::Schema;
use ferroform_testing::{Invariant, ProviderCheck};
use crate::backend::{ApiBehavior, Backend};
use crate::rng::Rng;
use crate::schema;

#[test]
fn checker_raises_no_false_alarm() {
    let range = crate::cases();
    let mut failed = 0;
    for number in range {
        let mut rng = Rng::new(number << 8 | 77);
        let fields = schema::resource(&mut rng);
        if !Schema::new(schema::block(&fields)).definition_errors().is_empty() { continue; }
        let backend = Backend::new(&fields, ApiBehavior::None, number);
        let provider = crate::common::provider([("test_thing", backend.resource())]);
        let found = ProviderCheck::raw(provider).skip(Invariant::ReplacementIsComplete).budget(Duration::from_millis(1500)).seed(1).find();
        if let Some(it) = found { println!("CASE {number}: {it}\n{}", crate::schema::SchemaSource(&fields)); failed += 1; if failed > 5 { break; } }
    }
    assert_eq!(failed, 0);
}
