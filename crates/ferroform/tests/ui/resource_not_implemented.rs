#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(computed)]
    id: String,
}



fn main() {}
