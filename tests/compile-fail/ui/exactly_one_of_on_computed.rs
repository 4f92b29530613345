use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, exactly_one_of(url))]
    id: String,
    url: Option<String>,
}

fn main() {}
