use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File(String);

fn main() {}
