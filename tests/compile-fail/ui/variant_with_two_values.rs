use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Text(String, String),
}

fn main() {}
