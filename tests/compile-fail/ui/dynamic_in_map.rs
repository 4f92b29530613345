use ferroform::{Dynamic, Model};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    tags: std::collections::BTreeMap<String, Option<Dynamic>>,
}

fn main() {}
