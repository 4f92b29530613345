use ferroform::{Attr, Model, Planned};

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Text(String),
    Number(i64),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    source: Source,
}

fn text(plan: Planned<Thing>) -> String {
    match plan.source {
        SourceView::Text(text) => text,
    }
}

fn main() {}
