//! The result is an attribute type.

use ferroform::{Function, Parameters, RequestCx, Result};

#[derive(Parameters)]
struct Now {}

impl Function for Now {
    type Output = std::time::Instant;

    async fn call(self, _: &RequestCx) -> Result<std::time::Instant> {
        Ok(std::time::Instant::now())
    }
}

fn main() {}
