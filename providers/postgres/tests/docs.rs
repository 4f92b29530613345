//! The documentation that `cargo ferroform docs` generates.

#![allow(missing_docs, reason = "test code")]

/// To update the pages: `cargo ferroform docs --docs-dir postgres/docs target/debug/terraform-provider-postgresql`, in the
/// directory of the providers.
#[test]
fn committed_pages_match_the_schema() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let binary = env!("CARGO_BIN_EXE_terraform-provider-postgresql");
    let arguments = ["docs", "--check", binary, "--docs-dir"].map(Into::into);
    let output = cargo_ferroform::run(arguments.into_iter().chain([directory.into()]).collect(), Vec::new());
    assert_eq!((&*output.stdout, &*output.stderr, output.code), ("", "", 0));
}
