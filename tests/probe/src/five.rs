//! The provider `probefive`: the same on protocol 5, without what that protocol does not have.

mod provider;

use std::process::ExitCode;

use ferroform::Protocol;

const ADDRESS: &str = "registry.terraform.io/ferroform/probefive";
const HAS_NESTED_ATTRIBUTES: bool = false;

fn main() -> ExitCode {
    ferroform::serve_protocols::<provider::Probe>(&[Protocol::V5])
}
