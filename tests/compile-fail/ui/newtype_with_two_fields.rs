use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
struct Id(String, String);

fn main() {}
