//! The schema lock, which detects changes of a schema that would make stored states unreadable.

use ferroform_testing::SchemaLock;
use terraform_provider_directory::Client;

/// After a change of a schema, run `FERROFORM_UPDATE_LOCK=1 cargo test`.
#[test]
fn stored_states_can_be_read() {
    SchemaLock::of::<Client>().check("schemas.lock");
}
