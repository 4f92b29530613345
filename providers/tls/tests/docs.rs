//! The committed documentation, which `cargo ferroform docs` generates.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::path::Path;

use expect_test::expect;

const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-tls");

/// To update the pages: `cargo ferroform docs --docs-dir providers/tls/docs target/debug/terraform-provider-tls`.
#[test]
fn committed_pages_match_the_schema() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").into_os_string();
    let arguments = vec!["docs".into(), BINARY.into(), "--docs-dir".into(), directory, "--check".into()];
    let output = cargo_ferroform::run(arguments, Vec::new());
    assert_eq!((&*output.stdout, &*output.stderr, output.code), ("", "", 0));
}

/// The registry and other sites link to these sections of the original's pages.
#[test]
fn pages_have_the_sections_of_the_original() {
    let sections = |page: &str| {
        let is_section = |line: &&str| line.starts_with("## ") || line.starts_with("### ");
        page.lines().filter(is_section).map(|line| format!("{line}\n")).collect::<String>()
    };
    expect![[r#"
        ## Example Usage
        ### Configuring Proxy
        ## Schema
        ### Optional
        ### Nested Schema for `proxy`
        ## Limitations
        ### `ECDSA` with `P224` elliptic curve
        ### Secrets and Terraform state
    "#]]
    .assert_eq(&sections(include_str!("../docs/index.md")));
    expect![[r#"
        ## Example Usage
        ## Schema
        ### Required
        ### Optional
        ### Read-Only
        ### Nested Schema for `subject`
        ## Automatic Renewal
    "#]]
    .assert_eq(&sections(include_str!("../docs/resources/self_signed_cert.md")));
}
