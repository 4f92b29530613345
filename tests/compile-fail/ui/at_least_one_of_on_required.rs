use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(at_least_one_of(url))]
    path: String,
    url: Option<String>,
}

fn main() {}
