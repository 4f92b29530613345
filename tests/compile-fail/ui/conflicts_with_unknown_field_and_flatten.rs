use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Common {
    region: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(flatten)]
    common: Common,
    #[attr(conflicts_with(region, regoin))]
    path: Option<String>,
}

fn main() {}
