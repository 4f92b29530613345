use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, computed)]
    path: String,
}

fn main() {}
