use ferroform::{Model, Timeouts};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(timeouts(create))]
    timeouts: Option<Timeouts>,
    #[attr(timeouts(delete))]
    limits: Option<Timeouts>,
}

fn main() {}
