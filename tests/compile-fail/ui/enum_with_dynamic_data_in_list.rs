use ferroform::{Attr, Dynamic};

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Values(Vec<Dynamic>),
    Value(Dynamic),
}

fn main() {}
