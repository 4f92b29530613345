use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
struct Id {
    text: String,
}

fn main() {}
