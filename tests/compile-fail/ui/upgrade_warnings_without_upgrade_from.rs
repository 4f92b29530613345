use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, oldest, upgrade_warnings = warnings)]
struct File {
    name: String,
}

fn main() {}
