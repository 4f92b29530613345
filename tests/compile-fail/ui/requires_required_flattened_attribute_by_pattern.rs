use ferroform::{Model, pattern};

#[derive(Model, Clone, Debug, PartialEq)]
struct Common {
    region: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(flatten)]
    common: Common,
    #[attr(requires(pattern!(super.region)))]
    path: Option<String>,
}

fn main() {}
