use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = "FileIdentity")]
struct File {
    #[attr(requires_replace)]
    path: String,
}

fn main() {}
