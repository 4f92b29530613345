//! A function requires `#[derive(Parameters)]`, even if it has no parameters.

use ferroform::{Function, RequestCx, Result};

struct Now;

impl Function for Now {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        Ok(String::new())
    }
}

fn main() {}
