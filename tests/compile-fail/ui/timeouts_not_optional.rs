use ferroform::{Model, Timeouts};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(timeouts(create))]
    timeouts: Timeouts,
}

fn main() {}
