use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    StringAttr { text: String },
}

fn main() {}
