use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(requires(url))]
    path: Option<String>,
    url: String,
}

fn main() {}
