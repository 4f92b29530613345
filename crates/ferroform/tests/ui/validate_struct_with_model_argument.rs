use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(validate = judge)]
struct File {
    path: String,
}

fn judge(file: &File) -> Result<(), &'static str> {
    if file.path.is_empty() { Err("a path is required") } else { Ok(()) }
}

fn main() {}
