//! Only resources have private state.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Args, DataCx, DataSource, Model, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    #[attr(computed)]
    id: String,
}

impl DataSource for Disk {
    type Provider = Cloud;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<DiskComputed> {
        cx.set_private("etag", &7)?;
        Ok(DiskComputed { id: args.name })
    }
}

fn main() {}
