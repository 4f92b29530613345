//! A struct without the derive is reported as such, and not as one with a forbidden attribute.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::EphemeralResource;

struct Token;

impl EphemeralResource for Token {
    type Provider = Cloud;
    type Private = ();
}

fn main() {}
