use ferroform::{Model, Timeouts};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(timeouts(create = "30 minutes"))]
    timeouts: Option<Timeouts>,
}

fn main() {}
