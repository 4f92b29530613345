use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(conflicts_with(owner))]
    path: Option<String>,
    #[attr(block)]
    owner: Owner,
    // These blocks are optional.
    #[attr(conflicts_with(spare, many))]
    url: Option<String>,
    #[attr(block)]
    spare: Option<Owner>,
    #[attr(block)]
    many: Vec<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

fn main() {}
