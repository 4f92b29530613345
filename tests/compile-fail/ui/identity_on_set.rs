use std::collections::BTreeSet;

use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(identity, requires_replace)]
    labels: BTreeSet<String>,
}

fn main() {}
