#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Args, DataCx, DataSource, Model, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(computed)]
    depends_on: String,
}

impl DataSource for File {
    type Provider = Cloud;

    async fn read(_: &DataCx<Self>, _: Args<Self>) -> Result<FileComputed> {
        unimplemented!()
    }
}

fn main() {}
