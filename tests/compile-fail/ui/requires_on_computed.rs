use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, requires(url))]
    path: Option<String>,
    url: Option<String>,
}

fn main() {}
