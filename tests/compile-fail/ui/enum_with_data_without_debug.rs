use ferroform::Attr;

#[derive(Attr, Clone, PartialEq)]
enum Size {
    Small(u64),
    Large(String),
}

fn main() {}
