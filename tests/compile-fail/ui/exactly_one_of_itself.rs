use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(exactly_one_of(path, url))]
    path: Option<String>,
    url: Option<String>,
}

fn main() {}
