use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Text(String),
    #[attr(rename = "text")]
    Other(String),
}

fn main() {}
