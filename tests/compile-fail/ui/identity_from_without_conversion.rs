use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity_version = 1, identity_from(FileIdentityV0))]
struct File {
    #[attr(identity, requires_replace)]
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FileIdentityV0 {
    name: String,
}

fn main() {}
