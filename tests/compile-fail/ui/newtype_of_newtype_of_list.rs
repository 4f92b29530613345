use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
struct Words(Vec<String>);

#[derive(Attr, Clone, Debug, PartialEq)]
struct Title(Words);

fn main() {}
