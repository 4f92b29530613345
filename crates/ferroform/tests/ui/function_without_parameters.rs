//! A function requires `#[derive(Parameters)]`, even if it has no parameters.

use ferroform::{Function, Result};

struct Now;

impl Function for Now {
    type Output = String;

    async fn call(self) -> Result<String> {
        Ok(String::new())
    }
}

fn main() {}
