//! The configuration and the Terraform version in `create` and `update`.

use ferroform::{
    ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, path,
};
use ferroform_testing::{Harness, Instance, config};

struct Test {
    terraform_version: Option<String>,
}

impl Provider for Test {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = ();

    async fn configure(cx: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test { terraform_version: cx.terraform_version().map(ToOwned::to_owned) }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Thing>("test_thing");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    name: String,
    #[attr(optional, computed)]
    size: u8,
    #[attr(default = 3)]
    copies: u8,
    #[attr(write_only)]
    secret: Option<String>,
    /// The configured values, and the Terraform version in `configure` and now.
    #[attr(computed)]
    note: String,
}

fn note(cx: &ApplyCx<Thing>) -> Result<String> {
    let configured = cx.config()?.expect("a created or updated object has a configuration");
    let data = cx.config_data().expect("the same");
    assert_eq!(data.get::<String>(path!(name))?, configured.name.clone().unwrap_or_else(String::new));
    let (size, copies, secret) = (configured.size, configured.copies, configured.secret);
    let [at_configure, now] =
        [cx.provider.terraform_version.as_deref(), cx.terraform_version()].map(|it| it.unwrap_or("?"));
    Ok(format!("{size:?} {copies:?} {secret:?} {at_configure} {now}"))
}

impl Resource for Thing {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        Ok(ThingComputed { size: plan.size.unwrap_or_else(|| 7), note: note(cx)? })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<ThingComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, _: Self) -> Result<()> {
        assert!(cx.config()?.is_none());
        Ok(())
    }
}

#[test]
fn create_and_update_receive_the_configuration() {
    let harness = Harness::start::<Test>(config! {});
    let mut thing = harness.resource("test_thing");
    thing.apply(config! { name = "a", size = 7, secret = "s" });
    let note = |it: &Instance| it.state().get::<String>(path!(note));
    assert_eq!(note(&thing), r#"Known(Some(7)) Known(None) Known(Some("s")) ? ?"#);
    // The plan also contains computed values, which are not in the configuration.
    thing.apply(config! { name = "b", copies = 3 });
    assert_eq!(note(&thing), "Known(None) Known(Some(3)) Known(None) ? ?");
}

#[test]
fn configure_knows_the_terraform_version() {
    let harness = Harness::start::<Test>(config! {}).with_terraform_version("1.5.0");
    let mut thing = harness.resource("test_thing");
    thing.apply(config! { name = "a" });
    let note = |it: &Instance| it.state().get::<String>(path!(note));
    assert!(note(&thing).ends_with("? 1.5.0"), "{}", note(&thing));
    harness.configure(config! {});
    thing.apply(config! { name = "b" });
    assert!(note(&thing).ends_with("1.5.0 1.5.0"), "{}", note(&thing));
}
