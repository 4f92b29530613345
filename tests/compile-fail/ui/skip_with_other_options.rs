use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(skip, sensitive)]
    cache: String,
}

fn main() {}
