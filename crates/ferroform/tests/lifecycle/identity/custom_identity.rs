//! Identities with attributes that the resource does not have: imports convert them, and methods set them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use ferroform::{
    ApplyCx, Args, Context as _, Diagnostic, Identity, Known, ListCx, ListResource, Maybe, Model, MoveCx,
    MoveSource, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, path,
};
use ferroform_testing::{Harness, Instance, MovedObject, config};

use crate::identity::{failed_check, identity};

/// The service, with the UID of each key.
#[derive(Default)]
struct Service {
    uids: Mutex<BTreeMap<String, u64>>,
}

impl Service {
    fn uid(&self, name: &str) -> Option<u64> {
        self.uids.lock().unwrap().get(name).copied()
    }

    fn name(&self, uid: u64) -> Option<String> {
        let uids = self.uids.lock().unwrap();
        uids.iter().find(|(_, it)| **it == uid).map(|(name, _)| name.clone())
    }
}

impl Provider for Service {
    const ADDRESS: &'static str = "example.com/test/service";
    type Config = ();

    async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
        let uids = [("existing".to_owned(), 7), ("unset".to_owned(), 8)];
        Ok(Known(Service { uids: Mutex::new(uids.into()) }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Peering>("service_peering").resource::<Key>("service_key");
        registry.list_resource::<Peerings>("service_peering");
        registry.resource::<Ticket>("service_ticket");
    }
}

fn instance(type_name: &str) -> Instance {
    Harness::start::<Service>(config! {}).resource(type_name)
}

/// A resource whose identity is another form of its attributes.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = PeeringIdentity)]
struct Peering {
    #[attr(requires_replace)]
    networks: BTreeSet<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct PeeringIdentity {
    sorted_networks: Vec<String>,
}

impl Identity<Peering> for PeeringIdentity {
    fn of(_: &Service, peering: &Peering) -> Result<Self> {
        Ok(PeeringIdentity { sorted_networks: peering.networks.iter().cloned().collect() })
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Peerings {}

impl ListResource for Peerings {
    type Resource = Peering;

    async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
        let peering = Peering { networks: ["a".to_owned(), "b".to_owned()].into() };
        cx.send(cx.listed(peering, "a and b")?).await
    }
}

impl Resource for Peering {
    type Provider = Service;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<PeeringComputed> {
        Ok(PeeringComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok((!state.networks.is_empty()).then_some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }

    async fn import_by_identity(cx: &ReadCx<Self>, identity: PeeringIdentity) -> Result<Self> {
        if identity.sorted_networks.len() != 2 {
            return Err(Diagnostic::error("A peering has two networks").into());
        }
        assert_eq!(cx.identity()?, Some(identity.clone()));
        Ok(Peering { networks: identity.sorted_networks.into_iter().collect() })
    }
}

/// A resource whose identity only the service knows.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = KeyIdentity)]
struct Key {
    #[attr(requires_replace)]
    name: String,
    text: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct KeyIdentity {
    uid: u64,
}

impl Identity<Key> for KeyIdentity {}

impl Resource for Key {
    type Provider = Service;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<KeyComputed> {
        assert_eq!(cx.identity()?, None);
        if plan.name != "unset" {
            cx.provider.uids.lock().unwrap().insert(plan.name, 42);
            cx.set_identity(KeyIdentity { uid: 42 });
            assert_eq!(cx.identity()?, Some(KeyIdentity { uid: 42 }));
        }
        if plan.text.as_deref() == Some("failing") {
            cx.checkpoint(KeyComputed {});
            return Err(Diagnostic::error("failing").into());
        }
        Ok(KeyComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        if let Some(stored) = cx.identity()? {
            return Ok(cx.provider.name(stored.uid).map(|name| Key { name, ..state }));
        }
        let Some(uid) = cx.provider.uid(&state.name) else { return Ok(None) };
        if state.name != "unset" {
            cx.set_identity(KeyIdentity { uid });
        }
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<KeyComputed> {
        let stored = cx.identity()?.context("the planned identity is missing")?;
        if plan.text.as_deref() == Some("other identity") {
            cx.set_identity(KeyIdentity { uid: stored.uid + 1 });
        }
        Ok(KeyComputed {})
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.uids.lock().unwrap().remove(&state.name);
        Ok(())
    }

    async fn import_by_identity(cx: &ReadCx<Self>, identity: KeyIdentity) -> Result<Self> {
        let name = cx.provider.name(identity.uid).context("There is no such key")?;
        Ok(Key { name, text: None })
    }

    async fn move_from(cx: &MoveCx, source: MoveSource) -> Result<Option<Self>> {
        let uid: u64 = source.state.get(path!(uid))?;
        cx.set_identity(&KeyIdentity { uid });
        Ok(Some(Key { name: source.state.get(path!(name))?, text: None }))
    }
}

/// A resource with an ID that the service assigns, and that an import must set.
#[derive(Model, Clone, Debug, PartialEq)]
struct Ticket {
    text: Option<String>,
    #[attr(identity, computed, required_for_import)]
    number: u64,
    #[attr(identity, computed)]
    queue: String,
}

impl Resource for Ticket {
    type Provider = Service;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<TicketComputed> {
        Ok(TicketComputed { number: 3, queue: "main".into() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(Ticket { queue: "main".into(), ..state }))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn listed_object_need_not_contain_the_attributes_of_its_identity() {
    let peerings = Harness::start::<Service>(config! {}).list_resource("service_peering").include_resource();
    let listing = peerings.try_list(config! {}).ok();
    let networks: Vec<String> = listing.objects[0].identity().get(path!(sorted_networks));
    assert_eq!(networks, ["a", "b"]);
}

#[test]
fn import_by_identity_converts_the_identity() {
    let mut peering = instance("service_peering");
    peering.import_by_identity(config! { sorted_networks = ["a", "b"] });
    assert_eq!(peering.state().get::<Vec<String>>(path!(networks)), ["a", "b"]);
    assert_eq!(identity(&peering), r#"sorted_networks = ["a", "b"]"#);
    assert_eq!(peering.plan(config! { networks = ["b", "a"] }).to_string(), "no change");

    let error =
        instance("service_peering").try_import_by_identity(config! { sorted_networks = ["a"] }).error();
    assert_eq!(error.to_string(), "A peering has two networks");
    let error = instance("service_peering").try_import_by_identity(config! { sorted_networks = ["b", "a"] });
    let error = error.error().to_string();
    assert!(error.starts_with("Unexpected Identity After Import: sorted_networks: "), "{error}");
}

#[test]
fn identity_that_a_method_sets_is_stored() {
    let mut key = instance("service_key");
    assert!(key.plan(config! { name = "a" }).identity.is_none());
    key.apply(config! { name = "a" });
    assert_eq!(identity(&key), "uid = 42");
    key.apply(config! { name = "a", text = "changed" });
    assert_eq!(identity(&key), "uid = 42", "the update does not set the identity, so it is kept");
    key.refresh();
    assert_eq!(identity(&key), "uid = 42");

    let mut key = instance("service_key");
    key.try_apply(config! { name = "a", text = "failing" }).error();
    assert!(key.is_tainted());
    assert_eq!(identity(&key), "uid = 42", "a partially created object has an identity too");
}

#[test]
fn object_is_imported_by_identity_that_only_the_service_knows() {
    let mut key = instance("service_key");
    key.import_by_identity(config! { uid = 7 });
    assert_eq!(key.state().get::<String>(path!(name)), "existing");
    assert_eq!(identity(&key), "uid = 7");
    let error = instance("service_key").try_import_by_identity(config! { uid = 1 }).error();
    assert_eq!(error.to_string(), "There is no such key");
}

#[test]
fn identity_that_no_method_sets_is_reported() {
    let errors = instance("service_key").try_apply(config! { name = "unset" }).error().to_string();
    assert!(errors.starts_with("Missing Resource Identity After Create: No attribute"), "{errors}");
    let mut key = instance("service_key").with_state(config! { name = "unset" });
    let errors = key.try_refresh().error().to_string();
    assert!(errors.starts_with("Missing Resource Identity After Read: No attribute"), "{errors}");
}

#[test]
fn method_must_not_change_the_identity() {
    let mut key = instance("service_key");
    key.apply(config! { name = "a" });
    let message = failed_check(|| drop(key.apply(config! { name = "a", text = "other identity" })));
    assert!(
        message.contains(r#"the identity of the object is 42, but the provider returned 43"#),
        "{message}"
    );
}

#[test]
fn move_sets_the_identity() {
    let mut key = instance("service_key");
    let stored = r#"{"name":"existing","uid":7}"#;
    key.move_from(MovedObject::new("registry.terraform.io/example/legacy", "legacy_key", 0, stored));
    assert_eq!(identity(&key), "uid = 7");
    key.refresh();
    assert_eq!(identity(&key), "uid = 7");
}

#[test]
fn computed_identity_attribute_can_be_required_for_import() {
    let modes = Ticket::identity().unwrap().block;
    let modes: Vec<String> =
        modes.attributes().iter().map(|it| format!("{} {:?}", it.name(), it.mode())).collect();
    assert_eq!(modes, ["number Required", "queue Optional"]);
    let mut ticket = instance("service_ticket");
    ticket.import_by_identity(config! { number = 3 });
    assert_eq!(identity(&ticket), r#"number = 3, queue = "main""#);
    let mut ticket = instance("service_ticket");
    ticket.apply(config! {});
    assert_eq!(identity(&ticket), r#"number = 3, queue = "main""#);
}

#[test]
fn identity_attribute_that_an_import_cannot_use_is_reported() {
    /// A resource without `import_by_identity`.
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(identity = LinkIdentity)]
    struct Link {
        #[attr(requires_replace)]
        name: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct LinkIdentity {
        account: Option<String>,
        name: String,
        uid: u64,
    }

    impl Identity<Link> for LinkIdentity {}

    /// No attribute of the identity is an attribute of the resource.
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(identity = CopyIdentity)]
    struct Copy {
        name: Option<String>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct CopyIdentity {
        uid: Option<u64>,
    }

    impl Identity<Copy> for CopyIdentity {}

    macro_rules! resource {
        ($ty:ident, $computed:ident) => {
            impl Resource for $ty {
                type Provider = Links;

                async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<$computed> {
                    Ok($computed {})
                }

                async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
                    Ok(Some(state))
                }

                async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
                    Ok(())
                }
            }
        };
    }
    resource!(Link, LinkComputed);
    resource!(Copy, CopyComputed);

    struct Links;

    impl Provider for Links {
        const ADDRESS: &'static str = "example.com/test/links";
        type Config = ();

        async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
            Ok(Known(Links))
        }

        fn register(registry: &mut Registry<Self>) {
            registry.resource::<Link>("links_link").resource::<Copy>("links_copy");
        }
    }

    let errors = ferroform::server::<Links>().definition_errors();
    let mut messages: Vec<String> = errors.into_iter().map(|it| it.detail).collect();
    messages.sort();
    let error = |type_name: &str| {
        format!(
            "In resource {type_name}: the identity: uid: an import by identity cannot use it, because the resource has \
             no attribute of this name: implement `import_by_identity`. This is a bug in the provider; please report it to its authors."
        )
    };
    assert_eq!(messages, [error("links_copy"), error("links_link")]);
}
