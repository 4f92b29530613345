//! The provider, as an author writes it.

use std::collections::BTreeMap;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::left_out::LeftOut;
use crate::model::Config;
use crate::raw::{AnyDataSource, AnyResource};
use crate::root::{MetaRoot, ProviderRoot};
use crate::schema::Schema;
use crate::{Call, Maybe, Model, Result, UnknownConfig};

/// A provider: what configures it, and what it offers. The implementing type is what its resources get as
/// `cx.provider`, such as the client of a service.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a provider",
    label = "not a provider",
    note = "write `impl Provider for {Self}` with `configure` and `register`"
)]
pub trait Provider: Sized + Send + Sync + 'static {
    /// Where the provider is published: `registry.terraform.io/hashicorp/local`. The last part is the name
    /// that its resource types begin with.
    const ADDRESS: &'static str;

    /// What stands in the `provider` block; `()` for nothing.
    type Config: Model + ProviderRoot;

    /// Judges the configuration as a whole, before the provider is made. Rules for one attribute stand better in
    /// its `validate`.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration, with `.at(path!(…))`.
    fn validate(cx: &Call, config: Config<Self::Config>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        LeftOut::new()
    }

    /// What becomes of resources and data sources while [`configure`](Provider::configure) answers
    /// [`Unknown`](crate::Unknown).
    const UNKNOWN_CONFIG: UnknownConfig = UnknownConfig::Defer;

    /// Makes the provider from its configuration. While planning, parts of it may be unknown; answer
    /// [`Unknown`](crate::Unknown) where it cannot be made without them.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration, with `.at(path!(…))`.
    fn configure(cx: &Call, config: Config<Self::Config>)
    -> impl Future<Output = Result<Maybe<Self>>> + Send;

    /// Names what the provider offers.
    fn register(registry: &mut Registry<Self>);
}

/// What a provider offers, by name.
pub struct Registry<P> {
    pub(crate) resources: BTreeMap<String, Arc<dyn AnyResource>>,
    pub(crate) data_sources: BTreeMap<String, Arc<dyn AnyDataSource>>,
    pub(crate) meta: Option<Schema>,
    pub(crate) concurrency: Option<usize>,
    pub(crate) faults: Vec<String>,
    provider: PhantomData<fn() -> P>,
}

impl<P> Registry<P> {
    pub(crate) fn new() -> Registry<P> {
        Registry {
            resources: BTreeMap::new(),
            data_sources: BTreeMap::new(),
            meta: None,
            concurrency: None,
            faults: Vec::new(),
            provider: PhantomData,
        }
    }

    /// Lets modules say this to the provider, in a `provider_meta` block: [`cx.meta::<M>()`](Call::meta). Nothing in
    /// it is computed or has a default.
    pub fn meta<M: Model + MetaRoot>(&mut self) -> &mut Self {
        self.raw_meta(M::schema())
    }

    /// Lets so many methods of resources and data sources run at the same time, whatever the host asks for; the
    /// others wait in the order in which they came. What judges configurations does not wait.
    ///
    /// A method's [time](crate::Timeouts) begins when it has its turn, so that what others do does not count.
    pub fn concurrency(&mut self, most: usize) -> &mut Self {
        self.concurrency = Some(most);
        self
    }

    /// Lets modules say what is described at run time, in a `provider_meta` block: [`cx.meta_data()`](Call::meta_data).
    pub fn raw_meta(&mut self, schema: Schema) -> &mut Self {
        if self.meta.replace(schema).is_some() {
            self.faults.push("provider_meta is registered twice".to_owned());
        }
        self
    }

    /// Offers a resource that is made at run time.
    pub fn raw_resource(&mut self, name: impl Into<String>, it: Arc<dyn AnyResource>) -> &mut Self {
        let name = name.into();
        if self.resources.insert(name.clone(), it).is_some() {
            self.faults.push(format!("resource {name} is registered twice"));
        }
        self
    }

    /// Offers a data source that is made at run time.
    pub fn raw_data_source(&mut self, name: impl Into<String>, it: Arc<dyn AnyDataSource>) -> &mut Self {
        let name = name.into();
        if self.data_sources.insert(name.clone(), it).is_some() {
            self.faults.push(format!("data source {name} is registered twice"));
        }
        self
    }
}
