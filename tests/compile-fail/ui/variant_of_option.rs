use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Text(Option<String>),
}

fn main() {}
