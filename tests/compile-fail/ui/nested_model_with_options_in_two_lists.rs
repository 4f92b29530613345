use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    grid: Vec<Vec<Cell>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Cell {
    #[attr(sensitive)]
    value: String,
}

fn main() {}
