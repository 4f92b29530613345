use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    #[attr(computed)]
    Text(String),
}

fn main() {}
