use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Level {}

fn main() {}
