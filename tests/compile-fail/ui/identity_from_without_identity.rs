use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity_from(FileIdentityV0))]
struct File {
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FileIdentityV0 {
    path: String,
}

fn main() {}
