use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
struct Id(char);

fn main() {}
