use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct FileV0 {
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = FileV0)]
struct File {
    path: String,
}

fn main() {}
