use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    pair: (String, Cell),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Cell {
    #[attr(default = 1)]
    value: i64,
}

fn main() {}
