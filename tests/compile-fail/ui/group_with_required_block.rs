use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(exactly_one_of(path, owner), required_together(path, owner))]
struct File {
    path: Option<String>,
    #[attr(block)]
    owner: Owner,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

fn main() {}
