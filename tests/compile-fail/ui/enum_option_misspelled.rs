use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Level {
    #[attr(renam = "low")]
    Low,
}

fn main() {}
