use std::collections::BTreeSet;

use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = FileIdentity)]
struct File {
    #[attr(requires_replace)]
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FileIdentity {
    path: String,
    tags: BTreeSet<String>,
}

fn main() {}
