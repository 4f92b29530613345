use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(write_only, requires_replace)]
    path: Option<String>,
}

fn main() {}
