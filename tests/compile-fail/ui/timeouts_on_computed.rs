use ferroform::{Model, Timeouts};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(computed, timeouts(create))]
    timeouts: Option<Timeouts>,
}

fn main() {}
