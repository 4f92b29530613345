//! The committed documentation, which `cargo ferroform docs` generates.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap()
}

/// `FERROFORM_UPDATE_PAGES=1` updates the pages.
#[test]
fn committed_pages_match_the_schema() {
    let binary = env!("CARGO_BIN_EXE_terraform-provider-http");
    test_support::assert_pages_are_current(binary, env!("CARGO_MANIFEST_DIR"));
}

/// Other sites link to these sections and anchors of the original's page.
#[test]
fn page_has_the_sections_of_the_original() {
    let page = read("data-sources/http.md");
    let mut is_code = false;
    let is_section = |line: &&str| {
        is_code ^= line.starts_with("```");
        !is_code && ["page_title", "#", "<a id", "- `"].iter().any(|it| line.starts_with(it))
    };
    let sections: Vec<_> = page.lines().filter(is_section).map(|it| it.split(") ").next().unwrap()).collect();
    expect_test::expect![[r#"
        page_title: "http Data Source - terraform-provider-http"
        # http (Data Source)
        ## Example Usage
        ## Usage with Postcondition
        ## Usage with Precondition
        ## Usage with Provisioner
        ## Schema
        ### Required
        - `url` (String
        ### Optional
        - `ca_cert_pem` (String
        - `client_cert_pem` (String
        - `client_key_pem` (String
        - `insecure` (Boolean
        - `method` (String
        - `request_body` (String
        - `request_headers` (Map of String
        - `request_timeout_ms` (Number
        - `retry` (Block, Optional
        ### Read-Only
        - `body` (String, Deprecated
        - `id` (String
        - `response_body` (String
        - `response_body_base64` (String
        - `response_headers` (Map of String
        - `status_code` (Number
        <a id="nestedblock--retry"></a>
        ### Nested Schema for `retry`
        - `attempts` (Number
        - `max_delay_ms` (Number
        - `min_delay_ms` (Number"#]]
    .assert_eq(&sections.join("\n"));
    let index = read("index.md");
    assert!(index.contains("page_title: \"Provider: HTTP\"") && index.contains("# HTTP Provider"), "{index}");
}
