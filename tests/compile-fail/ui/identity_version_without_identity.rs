use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity_version = 2)]
struct File {
    #[attr(requires_replace)]
    path: String,
}

fn main() {}
