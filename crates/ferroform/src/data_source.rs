//! The trait of data sources.

use std::future::Future;
use std::sync::Arc;

use ferroform_value::{Object, Value};

use crate::model::{Args, Config};
use crate::model_kinds::{NoReservedNames, NoWriteOnlyAttributes};
use crate::operation::{HasProvider, ReadData};
use crate::optional_method::NotImplemented;
use crate::raw::{AnyDataSource, Definition, MethodFuture, RequestContext};
use crate::typed::{Typed, read, validate};
use crate::{Computed as _, MethodCx, Model, Provider, Registry, RequestCx, Result};

/// A data source: Terraform reads it, and the provider sets its computed attributes.
///
/// ```
/// use ferroform::{Args, DataCx, DataSource, Model, Result};
/// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx};
///
/// # struct Cloud;
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// /// The newest image of an operating system.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Image {
///     /// The operating system.
///     os: String,
///     /// The ID of the image.
///     #[attr(computed)]
///     id: String,
/// }
///
/// impl DataSource for Image {
///     type Provider = Cloud;
///
///     async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<ImageComputed> {
///         Ok(ImageComputed { id: format!("{}-2026", args.os) })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a data source",
    label = "not a data source",
    note = "write `impl DataSource for {Self}` with `read`"
)]
pub trait DataSource: Model<__Itself: NoReservedNames + NoWriteOnlyAttributes> {
    /// The provider of this data source.
    type Provider: Provider;

    /// Validates the configuration as a whole. For a single attribute, use `#[attr(validate = …)]`. The provider is not
    /// configured yet.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn validate(cx: &RequestCx, config: Config<Self>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        NotImplemented::new()
    }

    /// Reads the data source and returns its computed attributes. The other attributes come from the configuration.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read.
    fn read(cx: &DataCx<Self>, args: Args<Self>) -> impl Future<Output = Result<Self::Computed>> + Send;
}

/// The context of [`DataSource::read`] of the data source `D`.
pub type DataCx<D> = MethodCx<D, ReadData>;

impl<T: DataSource> HasProvider<ReadData> for T {
    type Provider = <T as DataSource>::Provider;
}

impl<D: DataSource> AnyDataSource for Typed<D> {
    fn read(&self, context: RequestContext, config: Value) -> MethodFuture<Object> {
        Box::pin(async move {
            let args: Args<D> = read(&config, "Configuration")?;
            Ok(D::read(&DataCx::<D>::new(context)?, args).await?.into_object())
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers a data source under its type name in configurations, such as `local_file`.
    pub fn data_source<D: DataSource<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw(name, Definition::DataSource(Arc::new(Typed::<D>::new(D::schema, validate!(D, D), ()))))
    }
}
