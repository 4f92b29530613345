//! Data sources, as an author writes them.

use std::future::Future;

use crate::left_out::LeftOut;
use crate::model::{Args, Config};
use crate::root::DataSourceRoot;
use crate::{Call, Cx, Model, Provider, Result};

/// Something that Terraform looks up.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a data source",
    label = "not a data source",
    note = "write `impl DataSource for {Self}` with `read`"
)]
pub trait DataSource: Model + DataSourceRoot {
    /// The provider that it belongs to.
    type Provider: Provider;

    /// Judges a configuration as a whole, before anything is read. No provider is configured yet.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration, with `.at(path!(…))`.
    fn validate(cx: &Call, config: Config<Self>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        LeftOut::new()
    }

    /// Looks it up, and answers what the provider writes. The rest comes from the configuration.
    ///
    /// # Errors
    ///
    /// Why it could not be read.
    fn read(cx: &Cx<Self::Provider>, args: Args<Self>)
    -> impl Future<Output = Result<Self::Computed>> + Send;
}
