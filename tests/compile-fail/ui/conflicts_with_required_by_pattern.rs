use ferroform::{Model, pattern};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(conflicts_with(pattern!(super.url)))]
    path: Option<String>,
    url: String,
}

fn main() {}
