//! The result is an attribute type.

use ferroform::{Function, Parameters, Result};

#[derive(Parameters)]
struct Now {}

impl Function for Now {
    type Output = std::time::Instant;

    async fn call(self) -> Result<std::time::Instant> {
        Ok(std::time::Instant::now())
    }
}

fn main() {}
