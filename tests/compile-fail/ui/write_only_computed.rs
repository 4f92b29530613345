use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(write_only, computed)]
    path: Option<String>,
}

fn main() {}
