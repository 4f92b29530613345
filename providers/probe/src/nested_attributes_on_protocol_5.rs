//! The provider `probenested`: nested attributes on protocol 5, which does not support them.

mod provider;

use std::process::ExitCode;

use ferroform::Protocol;

const ADDRESS: &str = "registry.terraform.io/ferroform/probenested";
const HAS_NESTED_ATTRIBUTES: bool = true;

fn main() -> ExitCode {
    ferroform::serve_protocols::<provider::Probe>(&[Protocol::V5])
}
