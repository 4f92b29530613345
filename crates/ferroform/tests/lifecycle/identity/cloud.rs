//! An in-memory service whose resources have several kinds of identities.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use ferroform::{
    ApplyCx, Attr, Config, Diagnostic, Identity, Known, Maybe, Model, Planned, Provider, ReadCx, Registry,
    RequestCx, Resource, Result, Unknown,
};
use ferroform_testing::{Harness, config};

/// The disks by `project/zone/name`. Each test uses its own projects.
pub static DISKS: LazyLock<Mutex<BTreeMap<String, Disk>>> = LazyLock::new(Mutex::default);
pub static BUCKETS: LazyLock<Mutex<BTreeMap<String, Bucket>>> = LazyLock::new(Mutex::default);

pub struct Cloud {
    pub account: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub struct Settings {
    account: String,
}

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(match config.account {
            Known(account) => Known(Cloud { account }),
            Unknown => Unknown,
        })
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Disk>("cloud_disk")
            .resource::<Bucket>("cloud_bucket")
            .resource::<Alias>("cloud_alias")
            .resource::<ChangingIdentity>("cloud_fickle");
    }
}

pub fn cloud() -> Harness {
    Harness::start::<Cloud>(config! { account = "1" })
}

/// A resource whose identity consists of configured attributes.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity_version = 2, identity_from(DiskIdentityV1))]
#[attr(import = "{project}/{zone}/{name}", import = "{project}/{name}")]
pub struct Disk {
    /// The project that owns the disk.
    #[attr(identity, requires_replace)]
    pub project: String,
    /// The zone of the disk.
    #[attr(identity, requires_replace, default = Zone::North)]
    pub zone: Zone,
    #[attr(identity, requires_replace)]
    pub name: Name,
    pub size: u64,
    #[attr(computed)]
    pub id: String,
}

#[derive(Attr, Clone, Copy, Debug, PartialEq)]
pub enum Zone {
    North,
    South,
}

/// A name that is compared without regard to case.
#[derive(Attr, Clone, Debug)]
pub struct Name(pub String);

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

/// The first version of the identity, which had no zone.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, oldest)]
pub struct DiskIdentityV1 {
    project_and_name: String,
}

impl TryFrom<DiskIdentityV1> for DiskIdentity {
    type Error = Diagnostic;

    fn try_from(old: DiskIdentityV1) -> Result<Self, Diagnostic> {
        match old.project_and_name.split_once('/') {
            Some((project, name)) => {
                Ok(DiskIdentity { project: project.into(), zone: None, name: Name(name.into()) })
            }
            None => Err(Diagnostic::error("No such identity")),
        }
    }
}

impl Disk {
    pub fn key(&self) -> String {
        format!("{}/{:?}/{}", self.project, self.zone, self.name.0.to_lowercase())
    }
}

impl Resource for Disk {
    type Provider = Cloud;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DiskComputed> {
        let id = format!("disk-{}", plan.name.0);
        let disk = Disk { project: plan.project, zone: plan.zone, name: plan.name, size: plan.size, id };
        let computed = DiskComputed::from(disk.clone());
        DISKS.lock().unwrap().insert(disk.key(), disk.clone());
        if disk.size == 13 {
            cx.checkpoint(computed.clone());
            return Err(Diagnostic::error("thirteen is unlucky").into());
        }
        Ok(computed)
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(DISKS.lock().unwrap().get(&state.key()).cloned())
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<DiskComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        DISKS.lock().unwrap().remove(&state.key());
        Ok(())
    }
}

/// A resource whose identity contains an attribute that only the provider knows.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(identity = BucketIdentity, identity_version = 1)]
pub struct Bucket {
    #[attr(requires_replace)]
    pub name: String,
    pub text: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub struct BucketIdentity {
    /// The provider's account by default.
    account: Option<String>,
    name: String,
}

impl Identity<Bucket> for BucketIdentity {
    fn of(cloud: &Cloud, bucket: &Bucket) -> Result<Self> {
        assert_ne!(bucket.name, "panic", "the identity panics");
        Ok(BucketIdentity { account: Some(cloud.account.clone()), name: bucket.name.clone() })
    }
}

impl Resource for Bucket {
    type Provider = Cloud;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<BucketComputed> {
        let bucket = Bucket { name: plan.name, text: plan.text };
        let fails = bucket.text.as_deref() == Some("failing");
        BUCKETS.lock().unwrap().insert(bucket.name.clone(), bucket);
        if fails {
            cx.checkpoint(BucketComputed {});
            return Err(Diagnostic::error("failing").into());
        }
        Ok(BucketComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(BUCKETS.lock().unwrap().get(&state.name).cloned())
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<BucketComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        BUCKETS.lock().unwrap().remove(&state.name);
        Ok(())
    }
}

/// A resource whose identity may change.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(mutable_identity)]
pub struct Alias {
    #[attr(flatten)]
    pub parts: Parts,
    #[attr(identity, computed)]
    pub number: u16,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(mutable_identity)]
pub struct Parts {
    #[attr(identity)]
    pub words: Vec<String>,
}

impl Resource for Alias {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<AliasComputed> {
        let parts = Parts { words: plan.parts.words };
        Ok(AliasComputed { number: u16::try_from(parts.words.len())?, parts: parts.into() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<AliasComputed> {
        if plan.parts.words == ["taken"] {
            return Err(Diagnostic::error("It has another owner").into());
        }
        if plan.parts.words.is_empty() {
            cx.checkpoint_at(ferroform::path!(number), &9_u16);
            return Err(Diagnostic::error("At least one word is required").into());
        }
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// A resource whose identity changes, which it must not.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct ChangingIdentity {
    pub size: u64,
    /// The ID that `read` returns.
    pub drifts_to: Option<String>,
    #[attr(identity, computed)]
    pub id: Option<String>,
}

impl Resource for ChangingIdentity {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ChangingIdentityComputed> {
        Ok(ChangingIdentityComputed {
            id: Some(plan.size).filter(|it| *it > 0).map(|it| format!("size-{it}")),
        })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(ChangingIdentity { id: state.drifts_to.clone().or(state.id), ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<ChangingIdentityComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}
