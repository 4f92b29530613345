use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    #[attr(rename = "the-text")]
    Text(String),
}

fn main() {}
