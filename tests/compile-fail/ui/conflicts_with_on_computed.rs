use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, conflicts_with(url))]
    id: String,
    url: Option<String>,
}

fn main() {}
