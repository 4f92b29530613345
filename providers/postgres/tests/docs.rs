//! The documentation that `cargo ferroform docs` generates.

#![allow(missing_docs, reason = "test code")]

/// `FERROFORM_UPDATE_PAGES=1` updates the pages.
#[test]
fn committed_pages_match_the_schema() {
    let binary = env!("CARGO_BIN_EXE_terraform-provider-postgresql");
    test_support::assert_pages_are_current(binary, env!("CARGO_MANIFEST_DIR"));
}
