use ferroform::{Model, Timeouts};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(requires_replace, timeouts(create))]
    timeouts: Option<Timeouts>,
}

fn main() {}
