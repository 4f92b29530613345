use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, at_least_one_of(url))]
    id: String,
    url: Option<String>,
}

fn main() {}
