//! A function needs parameters, even if there are none.

use ferroform::{Function, Result};

struct Now;

impl Function for Now {
    type Output = String;

    async fn call(self) -> Result<String> {
        Ok(String::new())
    }
}

fn main() {}
