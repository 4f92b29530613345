//! The committed documentation matches the output of `cargo ferroform docs`.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use expect_test::expect;

/// `FERROFORM_UPDATE_PAGES=1` updates the pages.
#[test]
fn committed_pages_match_the_schema() {
    let binary = env!("CARGO_BIN_EXE_terraform-provider-time");
    test_support::assert_pages_are_current(binary, env!("CARGO_MANIFEST_DIR"));
}

/// The registry and other sites link to these sections of the original's pages.
#[test]
fn pages_have_the_sections_of_the_original() {
    let sections = |page: &str| {
        let is_section = |line: &&str| line.starts_with("## ") || line.starts_with("### ");
        page.lines().filter(is_section).map(|line| format!("{line}\n")).collect::<String>()
    };
    let index = expect![[r#"
        ## Resource "Triggers"
    "#]];
    index.assert_eq(&sections(include_str!("../docs/index.md")));
    let offset = expect![[r#"
        ## Example Usage
        ### Basic Usage
        ### Multiple Offsets Usage
        ### Triggers Usage
        ## Schema
        ### Optional
        ### Read-Only
        ## Import
    "#]];
    offset.assert_eq(&sections(include_str!("../docs/resources/offset.md")));
    let rotating = expect![[r#"
        ## Example Usage
        ### Basic Usage
        ## Schema
        ### Optional
        ### Read-Only
        ## Import
    "#]];
    rotating.assert_eq(&sections(include_str!("../docs/resources/rotating.md")));
    let sleep = expect![[r#"
        ## Example Usage
        ### Delay Create Usage
        ### Delay Destroy Usage
        ### Triggers Usage
        ## Schema
        ### Optional
        ### Read-Only
        ## Import
    "#]];
    sleep.assert_eq(&sections(include_str!("../docs/resources/sleep.md")));
    let static_time = expect![[r#"
        ## Example Usage
        ### Basic Usage
        ### Triggers Usage
        ## Schema
        ### Optional
        ### Read-Only
        ## Import
    "#]];
    static_time.assert_eq(&sections(include_str!("../docs/resources/static.md")));
    // The attributes of the result are part of the description of a function, so there is no section "Return Type".
    for page in [
        include_str!("../docs/functions/duration_parse.md"),
        include_str!("../docs/functions/rfc3339_parse.md"),
        include_str!("../docs/functions/unix_timestamp_parse.md"),
    ] {
        let function = expect![[r#"
            ## Example Usage
            ## Signature
            ## Arguments
        "#]];
        function.assert_eq(&sections(page));
    }
}
