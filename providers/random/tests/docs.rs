//! The committed documentation matches the output of `cargo ferroform docs`.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use expect_test::expect;

/// `FERROFORM_UPDATE_PAGES=1` updates the pages.
#[test]
fn committed_pages_match_the_schema() {
    let binary = env!("CARGO_BIN_EXE_terraform-provider-random");
    test_support::assert_pages_are_current(binary, env!("CARGO_MANIFEST_DIR"));
}

/// The registry and other sites link to these sections of the original's pages.
#[test]
fn pages_have_the_sections_of_the_original() {
    let sections = |page: &str| {
        let is_section = |line: &&str| line.starts_with("## ") || line.starts_with("### ");
        page.lines().filter(is_section).map(|line| format!("{line}\n")).collect::<String>()
    };
    expect![[r#"
        ## Resource "Keepers"
    "#]]
    .assert_eq(&sections(include_str!("../docs/index.md")));
    for page in [include_str!("../docs/resources/password.md"), include_str!("../docs/resources/string.md")] {
        expect![[r#"
            ## Example Usage
            ## Schema
            ### Required
            ### Optional
            ### Read-Only
            ## Import
            ### Limitations of Import
            ### Avoiding Replacement
        "#]]
        .assert_eq(&sections(page));
    }
}
