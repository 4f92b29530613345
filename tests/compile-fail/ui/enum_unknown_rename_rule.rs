use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(rename_all = "train-case")]
enum Level {
    Low,
}

fn main() {}
