//! The schemas match those of the original, attribute by attribute.

#![allow(missing_docs, reason = "test code")]

#[test]
fn schemas_match_original() {
    test_support::assert_schema_equals(
        env!("CARGO_BIN_EXE_terraform-provider-tls"),
        include_str!("original_schema.txt"),
    );
}
