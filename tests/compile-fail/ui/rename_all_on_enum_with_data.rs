use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(rename_all = "kebab-case")]
enum Source {
    Text(String),
}

fn main() {}
