use ferroform::{Model, pattern};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(conflicts_with(pattern!(super.ulr)))]
    path: Option<String>,
    url: Option<String>,
}

fn main() {}
