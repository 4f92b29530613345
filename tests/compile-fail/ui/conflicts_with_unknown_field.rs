use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(conflicts_with(ur))]
    path: Option<String>,
    url: String,
}

fn main() {}
