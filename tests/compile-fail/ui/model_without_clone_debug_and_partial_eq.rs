use ferroform::{ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result};
#[derive(Model)]
struct Server { name: String, size: Option<u64>, #[attr(computed)] id: String }
impl Resource for Server {
    type Provider = Cloud;
    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ServerComputed> { Ok(ServerComputed { id: plan.name }) }
    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
    async fn update(_: &ApplyCx<Self>, _prior: Self, plan: Planned<Self>) -> Result<ServerComputed> { Ok(ServerComputed { id: plan.name }) }
    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
}
struct Cloud;
impl Provider for Cloud {
    const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
    type Config = ();
    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
    fn register(registry: &mut Registry<Self>) { registry.resource::<Server>("cloud_server"); }
}
fn main() -> std::process::ExitCode { ferroform::serve::<Cloud>() }
