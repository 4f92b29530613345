use std::collections::BTreeMap;

use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(identity, requires_replace)]
    labels: BTreeMap<String, String>,
}

fn main() {}
