//! The configuration of a state store has no nested blocks.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{Args, Model, Result, StateStore, StoreCx};

#[derive(Model, Clone, Debug, PartialEq)]
struct BucketConfig {
    name: String,
    #[attr(block)]
    tag: Vec<Tag>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Tag {
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

    async fn lock(&self, _: &StoreCx<Self>, _: &str, _: &str) -> Result<Option<String>> {
        Ok(None)
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
