use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Level {
    Low,
    #[attr(rename = "low")]
    Lower,
}

fn main() {}
