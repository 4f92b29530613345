use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
struct Id<T>(T);

fn main() {}
