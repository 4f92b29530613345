use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(conflicts_with("url"))]
    path: Option<String>,
    url: Option<String>,
}

fn main() {}
