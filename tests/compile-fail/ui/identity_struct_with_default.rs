use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = FileIdentity)]
struct File {
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FileIdentity {
    #[attr(default = "here")]
    machine: String,
}

fn main() {}
