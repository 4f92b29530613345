use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = FileIdentity)]
struct File {
    #[attr(identity, requires_replace)]
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FileIdentity {
    path: String,
}

fn main() {}
