use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(conflicts_with(url))]
    path: Option<String>,
    #[attr(computed)]
    url: String,
}

fn main() {}
