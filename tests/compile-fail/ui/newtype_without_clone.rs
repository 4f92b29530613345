use ferroform::Attr;

#[derive(Attr, Debug, PartialEq)]
struct Size(u64);

fn main() {}
