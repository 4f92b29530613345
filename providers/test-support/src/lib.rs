//! Test support that several providers share: checks of schemas, documentation pages and releases, and a PostgreSQL server.
//! Failed checks panic.

#![allow(clippy::unwrap_used, reason = "test code")]

#[cfg(unix)]
pub mod postgresql;
mod release;
mod schema;

use std::env;
use std::path::Path;

use cargo_ferroform::Output;

pub use release::Release;
pub use schema::{assert_schema_equals, describe_schemas};

/// Asserts that the pages in the `docs` directory of a package match the output of `cargo ferroform docs`. If the
/// environment variable `FERROFORM_UPDATE_PAGES` is set, the pages are written instead.
pub fn assert_pages_are_current(binary: &str, package: &str) {
    let mut arguments = vec!["docs", binary];
    if env::var_os("FERROFORM_UPDATE_PAGES").is_none() {
        arguments.push("--check");
    }
    let directory = Path::new(package).join("docs");
    arguments.extend(["--docs-dir", directory.to_str().unwrap()]);
    let output = run(&arguments);
    assert!(output.code == 0 && output.stderr.is_empty(), "{}{}", output.stdout, output.stderr);
}

/// Runs `cargo ferroform`.
fn run(arguments: &[&str]) -> Output {
    cargo_ferroform::run(arguments.iter().map(Into::into).collect(), Vec::new())
}
