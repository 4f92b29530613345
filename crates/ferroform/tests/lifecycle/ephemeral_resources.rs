//! Ephemeral resources: open, renew, close, and cleanup after a failure.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use expect_test::expect;
use ferroform::{
    Args, Config, Deferral, Diagnostic, EphemeralResource, Known, Maybe, Model, OpenCx, Opened, OpenedCx,
    Provider, Registry, Renewed, RequestCx, Result, path,
};
use ferroform_testing::{CHECKPOINT, Harness, config, unknown};
use tokio::sync::Barrier;

/// The events of all leases of a provider.
#[derive(Clone, Debug, Default)]
struct Events(Arc<Mutex<Vec<String>>>);

impl Events {
    fn add(&self, event: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Vault {
    events: Events,
    count: AtomicU64,
    /// Leases with the role `paired` wait for each other when they are closed.
    pair: Barrier,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    channel: u64,
}

/// The events of each provider, by its `channel`.
static CHANNELS: Mutex<Vec<Events>> = Mutex::new(Vec::new());

impl Provider for Vault {
    const ADDRESS: &'static str = "example.com/test/vault";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        let channels = CHANNELS.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(config.channel.map(|it| Vault {
            events: channels[it as usize].clone(),
            count: AtomicU64::new(0),
            pair: Barrier::new(2),
        }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.ephemeral_resource::<Lease>("vault_lease").ephemeral_resource::<Fixed>("vault_fixed");
    }
}

/// A lease of a secret. Its role determines how it fails.
#[derive(Model, Clone, Debug, PartialEq)]
struct Lease {
    #[attr(validate = ferroform::validators::length_at_most(12))]
    role: String,
    seconds: Option<u64>,
    #[attr(computed, sensitive)]
    secret: String,
}

/// The private data of a lease: its ID and renewal count, and secrets.
#[derive(Model, Clone, Debug, PartialEq)]
struct Id {
    number: u64,
    renewals: u64,
    role: String,
    nonce: String,
    pin: u64,
    keys: BTreeMap<String, u64>,
}

impl Id {
    fn secrets(&self) -> String {
        format!("secret-{}, {}, {}, {:?}", self.number, self.nonce, self.pin, self.keys)
    }
}

impl EphemeralResource for Lease {
    type Provider = Vault;
    type Private = Id;

    async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
        match config.role {
            Known(role) if role == "root" => Err(Diagnostic::error("Forbidden Role").at(path!(role)).into()),
            _ => Ok(()),
        }
    }

    async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        if args.role == "later" {
            return Err(cx.defer(Deferral::AbsentPrerequisite));
        }
        let number = cx.provider.count.fetch_add(1, Ordering::Relaxed) + 1;
        let id = Id {
            number,
            renewals: 0,
            role: args.role.clone(),
            nonce: format!("nonce-{number}"),
            pin: 987_654,
            keys: [("privkey".into(), 4321)].into(),
        };
        cx.provider.events.add(format!("open {number}"));
        if args.role == "early" {
            return Err(Diagnostic::error("Before It Is Recorded").into());
        }
        cx.opened(&id)?;
        match &*args.role {
            "error" => return Err(Diagnostic::error("After It Is Recorded").into()),
            "leak early" => return Err(Diagnostic::error(format!("Open: {}", id.secrets())).into()),
            "panic" => panic!("the lease panics"),
            "stuck" => cx.sleep(Duration::from_secs(3600)).await?,
            _ => {}
        }
        let opened = Opened::new(LeaseComputed { secret: format!("secret-{number}") }, id);
        Ok(match args.seconds {
            Some(0) => opened,
            seconds => opened.renew_in(Duration::from_secs(seconds.unwrap_or(60))),
        })
    }

    async fn renew(cx: &OpenedCx<Self>, id: Id) -> Result<Renewed<Self>> {
        cx.provider.events.add(format!("renew {} the {}th time", id.number, id.renewals + 1));
        if id.role == "leaky" {
            return Err(Diagnostic::error(format!("Cannot Renew {}", id.secrets())).into());
        }
        if id.renewals == 1 {
            return Err(Diagnostic::error("Too Many Renewals").into());
        }
        Ok(Renewed::new(Id { renewals: id.renewals + 1, ..id }))
    }

    async fn close(cx: &OpenedCx<Self>, id: Id) -> Result<()> {
        cx.provider.events.add(format!("close {} after {} renewals", id.number, id.renewals));
        match &*id.role {
            "paired" => {
                cx.provider.pair.wait().await;
                cx.provider.events.add("closed one of two".into());
                Ok(())
            }
            "sticky" => Err(Diagnostic::error("Cannot Close").into()),
            "leaky" | "leak early" => {
                let message = format!("Cannot Close {} for {}", id.secrets(), id.role);
                Err(Diagnostic::error(message).into())
            }
            _ => Ok(()),
        }
    }
}

/// A resource without `renew`, which states a time of renewal on request. Then it cannot be closed.
#[derive(Model, Clone, Debug, PartialEq)]
struct Fixed {
    renew: bool,
    #[attr(computed, sensitive)]
    value: String,
}

/// The value if it cannot be closed.
#[derive(Model, Clone, Debug, PartialEq)]
struct Stuck {
    value: Option<String>,
}

impl EphemeralResource for Fixed {
    type Provider = Vault;
    type Private = Stuck;

    async fn open(_: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        let value = "fixed-value".to_owned();
        let stuck = Stuck { value: args.renew.then(|| value.clone()) };
        let opened = Opened::new(FixedComputed { value }, stuck);
        Ok(if args.renew { opened.renew_in(Duration::from_secs(1)) } else { opened })
    }

    async fn close(_: &OpenedCx<Self>, stuck: Stuck) -> Result<()> {
        match stuck.value {
            Some(value) => Err(Diagnostic::error(format!("Cannot revoke {value}")).into()),
            None => Ok(()),
        }
    }
}

fn vault() -> (Harness, Events) {
    let events = Events::default();
    let channel = {
        let mut channels = CHANNELS.lock().unwrap_or_else(PoisonError::into_inner);
        channels.push(events.clone());
        channels.len() as u64 - 1
    };
    (Harness::start::<Vault>(config! { channel = channel }), events)
}

#[test]
fn resource_is_opened_renewed_and_closed() {
    let (vault, events) = vault();
    let lease = vault.ephemeral_resource("vault_lease");
    let minute = Duration::from_secs(60);
    let before = SystemTime::now();
    let mut open = lease.open(config! { role = "reader" });
    let after = SystemTime::now();
    assert_eq!(open.get::<String>(path!(secret)), "secret-1");
    assert!((before + minute..=after + minute).contains(&open.renewal_time().unwrap()));
    expect![[r#"
        role = "reader"
        secret = (sensitive value)"#]]
    .assert_eq(&open.values().to_string());
    open.renew();
    assert_eq!(open.renewal_time(), None);
    assert_eq!(open.try_renew().error().to_string(), "Too Many Renewals");
    let other = lease.open(config! { role = "writer", seconds = 0 });
    assert_eq!(other.renewal_time(), None);
    open.close();
    other.close();
    assert_eq!(
        events.take(),
        [
            "open 1",
            "renew 1 the 1th time",
            "renew 1 the 2th time",
            "open 2",
            "close 1 after 1 renewals",
            "close 2 after 0 renewals"
        ]
    );
    let sticky = lease.open(config! { role = "sticky" });
    assert_eq!(sticky.try_close().error().to_string(), "Cannot Close");
}

#[test]
fn secrets_of_an_open_resource_are_masked_in_later_errors() {
    let (vault, _) = vault();
    let lease = vault.ephemeral_resource("vault_lease");
    let mut open = lease.open(config! { role = "leaky" });
    let secret = "(sensitive value)";
    let secrets = format!("{secret}, {secret}, {secret}, {{\"{secret}\": {secret}}}");
    assert_eq!(open.try_renew().error().to_string(), format!("Cannot Renew {secrets}"));
    // The role is not sensitive, although private data contains it as well.
    assert_eq!(open.try_close().error().to_string(), format!("Cannot Close {secrets} for leaky"));
    // A resource that has not been opened completely has no results yet.
    let errors = lease.try_open(config! { role = "leak early" }).error().to_string();
    let secrets = secrets.replacen(secret, "secret-2", 1);
    let expected = [format!("Open: {secrets}"), format!("Cannot Close {secrets} for leak early")];
    assert!(expected.iter().all(|it| errors.contains(it)), "{errors}");
}

#[test]
fn failed_resource_is_closed_by_the_framework() {
    let (vault, events) = vault();
    let lease = vault.ephemeral_resource("vault_lease");
    assert_eq!(lease.try_open(config! { role = "early" }).error().to_string(), "Before It Is Recorded");
    assert_eq!(events.take(), ["open 1"], "there is nothing to close");
    assert_eq!(lease.try_open(config! { role = "error" }).error().to_string(), "After It Is Recorded");
    assert_eq!(events.take(), ["open 2", "close 2 after 0 renewals"]);
    let panicked = lease.try_open(config! { role = "panic" }).error().to_string();
    assert!(
        panicked.contains("the lease panics")
            && panicked.ends_with("to its authors. The ephemeral resource is closed."),
        "{panicked}"
    );
    assert_eq!(events.take(), ["open 3", "close 3 after 0 renewals"]);
}

#[test]
fn canceled_resource_is_closed_by_the_framework() {
    let (vault, events) = vault();
    vault.stop_at(CHECKPOINT);
    let errors = vault.ephemeral_resource("vault_lease").try_open(config! { role = "stuck" }).error();
    assert!(errors.to_string().contains("The ephemeral resource is closed."), "{errors}");
    assert_eq!(events.take(), ["open 1", "close 1 after 0 renewals"]);
}

#[test]
fn resources_that_terraform_leaves_open_are_closed_at_the_end() {
    let (vault, events) = vault();
    let lease = vault.ephemeral_resource("vault_lease");
    let mut renewed = lease.open(config! { role = "reader" });
    renewed.renew();
    let _other = lease.open(config! { role = "sticky" });
    lease.open(config! { role = "closed" }).close();
    events.take();
    vault.disconnect();
    assert_eq!(events.take(), ["close 1 after 1 renewals", "close 2 after 0 renewals"]);
    vault.disconnect();
    assert!(events.take().is_empty());
}

#[test]
fn open_resources_are_closed_concurrently() {
    let (vault, events) = vault();
    let lease = vault.ephemeral_resource("vault_lease");
    let _open = [(); 2].map(|()| lease.open(config! { role = "paired" }));
    events.take();
    vault.disconnect();
    assert_eq!(events.take()[2..], ["closed one of two"; 2]);
}

#[test]
fn invalid_configurations_are_reported_at_their_path() {
    let (vault, _) = vault();
    let lease = vault.ephemeral_resource("vault_lease");
    expect!["role: Forbidden Role"].assert_eq(&lease.try_open(config! { role = "root" }).error().to_string());
    expect!["role: Invalid Attribute Value Length: A string of at most 12 bytes is required, but this has 15 bytes."]
        .assert_eq(&lease.try_open(config! { role = "much-too-longer" }).error().to_string());
    lease.try_open(config! { role = unknown() }).error();
    let fixed = vault.ephemeral_resource("vault_fixed");
    let open = fixed.open(config! { renew = false });
    assert_eq!((open.get::<String>(path!(value)), open.renewal_time()), ("fixed-value".into(), None));
    open.close();
    expect![[r#"
        Ephemeral Resource Renew Not Implemented: vault_fixed returned a renewal time, but does not implement `renew`. This is a bug in the provider; please report it to its authors.
        Cannot revoke (sensitive value)"#]]
        .assert_eq(&fixed.try_open(config! { renew = true }).error().to_string());
}

#[test]
fn resource_is_deferred_if_terraform_allows_it() {
    let (vault, events) = vault();
    let errors = vault.ephemeral_resource("vault_lease").try_open(config! { role = "later" }).error();
    assert!(errors.to_string().contains("Deferral Not Supported"), "{errors}");
    let deferring = vault.allow_deferral();
    let reason = deferring.ephemeral_resource("vault_lease").try_open(config! { role = "later" }).deferral();
    assert_eq!(reason, Deferral::AbsentPrerequisite);
    assert!(events.take().is_empty());
}
