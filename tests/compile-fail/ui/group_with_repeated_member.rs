use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(required_together(path, path, url))]
struct File {
    path: Option<String>,
    url: Option<String>,
}

fn main() {}
