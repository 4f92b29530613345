use ferroform::{Model, Timeouts};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(timeouts(create = "30m", create = "1h"))]
    timeouts: Option<Timeouts>,
}

fn main() {}
