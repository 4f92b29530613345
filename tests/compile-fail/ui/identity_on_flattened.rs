use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(identity, flatten)]
    place: Place,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Place {
    path: String,
}

fn main() {}
