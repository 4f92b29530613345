use ferroform::{Model, pattern};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(conflicts_with(pattern!(super.path)))]
    path: Option<String>,
}

fn main() {}
