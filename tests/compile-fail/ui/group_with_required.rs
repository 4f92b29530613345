use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(exactly_one_of(path, url))]
struct File {
    path: String,
    url: Option<String>,
}

fn main() {}
