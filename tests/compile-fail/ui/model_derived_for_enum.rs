use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
enum File {
    Here,
}

fn main() {}
