use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(rename_all = "lowercase")]
struct Id(String);

fn main() {}
