//! A state store implements all methods except `validate`.

use ferroform::{Args, Known, Maybe, Model, Provider, Registry, RequestCx, Result, StateStore, StoreCx};

struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.state_store::<Bucket>("cloud_bucket");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct BucketConfig {
    name: String,
}

struct Bucket;

impl StateStore for Bucket {
    type Provider = Cloud;
    type Config = BucketConfig;

    async fn configure(_: &StoreCx<Self>, _: Args<BucketConfig>) -> Result<Self> {
        Ok(Bucket)
    }

    async fn read(&self, _: &StoreCx<Self>, _: &str) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    async fn write(&self, _: &StoreCx<Self>, _: &str, _: Vec<u8>) -> Result<()> {
        Ok(())
    }


    async fn unlock(&self, _: &StoreCx<Self>, _: &str, _: &str) -> Result<()> {
        Ok(())
    }

    async fn states(&self, _: &StoreCx<Self>) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    async fn delete(&self, _: &StoreCx<Self>, _: &str) -> Result<()> {
        Ok(())
    }
}

fn main() {}
