use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    made: std::time::Instant,
}

fn main() {}
