use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(at_least_one_of(path, url))]
struct File {
    #[attr(computed)]
    path: String,
    url: Option<String>,
}

fn main() {}
