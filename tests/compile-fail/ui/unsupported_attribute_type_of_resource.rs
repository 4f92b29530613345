//! The field has the first error. rustc repeats it for each method with a view of the model.

#[path = "common/cloud.rs"]
mod cloud;

use cloud::Cloud;
use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

#[derive(Clone, Debug, PartialEq)]
struct Rule {
    port: u16,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Firewall {
    rules: Vec<Rule>,
    #[attr(computed)]
    id: String,
}

impl Resource for Firewall {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<FirewallComputed> {
        Ok(FirewallComputed { id: "1".to_owned() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn main() {}
