use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Text { text: String },
}

fn main() {}
