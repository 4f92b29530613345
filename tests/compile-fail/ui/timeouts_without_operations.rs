use ferroform::{Model, Timeouts};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(timeouts)]
    timeouts: Option<Timeouts>,
}

fn main() {}
