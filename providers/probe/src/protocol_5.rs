//! The provider `probefive`: the same resources on protocol 5, without those that protocol 5 does not support.

mod provider;

use std::process::ExitCode;

use ferroform::Protocol;

const ADDRESS: &str = "registry.terraform.io/ferroform/probefive";
const HAS_NESTED_ATTRIBUTES: bool = false;

fn main() -> ExitCode {
    ferroform::serve_protocols::<provider::Probe>(&[Protocol::V5])
}
