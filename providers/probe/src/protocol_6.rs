//! The provider `probe`, on protocol 6.

mod provider;

use std::process::ExitCode;

const ADDRESS: &str = "registry.terraform.io/ferroform/probe";
const HAS_NESTED_ATTRIBUTES: bool = true;

fn main() -> ExitCode {
    ferroform::serve::<provider::Probe>()
}
