use ferroform::{Attr, Model};

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Part(Part),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    source: Source,
}

fn main() {}
