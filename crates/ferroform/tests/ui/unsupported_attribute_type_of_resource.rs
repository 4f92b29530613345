//! The field has the first error. rustc repeats it for each method with a view of the model.

use ferroform::{ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result};

struct Cloud;

impl Provider for Cloud {
    const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Firewall>("firewall");
    }
}

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
