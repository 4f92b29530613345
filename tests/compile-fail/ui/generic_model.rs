use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File<T> {
    path: T,
}

fn main() {}
