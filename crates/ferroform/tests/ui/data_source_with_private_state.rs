//! Only resources have private state.

use ferroform::{Args, DataCx, DataSource, Known, Maybe, Model, Provider, Registry, RequestCx, Result};

struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.data_source::<Disk>("cloud_disk");
    }
}

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
