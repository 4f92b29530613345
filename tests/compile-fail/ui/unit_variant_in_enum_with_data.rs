use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Text(String),
    Nothing,
}

fn main() {}
