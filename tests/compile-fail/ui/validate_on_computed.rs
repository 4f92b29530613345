use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, validate = |_: &String| Ok::<(), String>(()))]
    path: String,
}

fn main() {}
