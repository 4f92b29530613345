use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(exactly_one_of(path, pth))]
struct File {
    path: Option<String>,
    url: Option<String>,
}

fn main() {}
