//! Several providers as one.

use std::fmt;
use std::process::ExitCode;

use ferroform_server::{CombinedProvider, Plugin, Protocol, Service};

#[cfg(feature = "mux-plugin")]
pub use ferroform_server::client::PluginCommand;

use crate::Provider;
use crate::raw::LogMasks;
use crate::serve::{log_masks, server};

/// Several providers that one process serves as one provider, as with `terraform-plugin-mux`. Terraform gets one schema with
/// the types of all providers.
///
/// ```no_run
/// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};
/// # struct Cloud;
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/acme/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// # struct Legacy;
/// # impl Provider for Legacy {
/// #     const ADDRESS: &'static str = "registry.terraform.io/acme/legacy";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Legacy)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// fn main() -> std::process::ExitCode {
///     ferroform::Mux::new::<Cloud>().provider::<Legacy>().serve()
/// }
/// ```
///
/// - Each type and each function belongs to one provider. A name that two providers register is the error "Invalid Provider
///   Server Combination", which names both.
/// - The provider's configuration has the schema of the provider with the most attributes. Each attribute of the others must
///   be one of these, with any description, and each provider receives only its own attributes.
/// - Terraform configures the providers in this order, up to the first error.
#[must_use]
pub struct Mux {
    address: &'static str,
    providers: Vec<(String, CombinedProvider)>,
    masks: Vec<fn() -> LogMasks>,
}

impl fmt::Debug for Mux {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.providers.iter().map(|(name, _)| name)).finish()
    }
}

impl Mux {
    /// The provider `P`, whose address is the address of the combined provider.
    pub fn new<P: Provider>() -> Mux {
        let mux = Mux { address: P::ADDRESS, providers: Vec::new(), masks: Vec::new() };
        mux.provider::<P>()
    }

    /// Adds the provider `P`.
    pub fn provider<P: Provider>(mut self) -> Mux {
        let create = Box::new(|context: &_| Service::new(server::<P>(), context));
        self.providers.push((P::ADDRESS.to_owned(), CombinedProvider::InProcess(create)));
        self.masks.push(log_masks::<P>);
        self
    }

    /// Adds the types of another provider binary, such as one that is written in Go. The binary runs as a child process and
    /// is served with either protocol, whichever version it has itself. The page
    /// [Combining providers](crate::guide::combining_providers) describes how to migrate a provider type by type.
    ///
    /// ```no_run
    /// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};
    /// # struct Cloud;
    /// # impl Provider for Cloud {
    /// #     const ADDRESS: &'static str = "registry.terraform.io/acme/cloud";
    /// #     type Config = ();
    /// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
    /// #     fn register(_: &mut Registry<Self>) {}
    /// # }
    /// use ferroform::{Mux, PluginCommand};
    ///
    /// fn main() -> std::process::ExitCode {
    ///     // The binary of the Go provider is next to this one.
    ///     let directory = std::env::current_exe().unwrap_or_default();
    ///     let go = PluginCommand::new(directory.with_file_name("cloud-go"));
    ///     Mux::new::<Cloud>().plugin(go).serve()
    /// }
    /// ```
    #[cfg(feature = "mux-plugin")]
    pub fn plugin(mut self, command: PluginCommand) -> Mux {
        let name = command.program().file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.providers.push((name, CombinedProvider::Plugin(command)));
        self
    }

    /// Serves the providers with protocol 6, as [`serve`](crate::serve) does.
    #[must_use = "return the exit code from `main`"]
    pub fn serve(self) -> ExitCode {
        self.serve_protocols(&[Protocol::V6])
    }

    /// Serves the providers with these protocol versions, as [`serve_protocols`](crate::serve_protocols) does.
    #[must_use = "return the exit code from `main`"]
    pub fn serve_protocols(self, protocols: &[Protocol]) -> ExitCode {
        let masks = self.masks;
        let all_masks = move || {
            masks.iter().map(|masks| masks()).fold(LogMasks::default(), |mut all, masks| {
                all.fields.extend(masks.fields);
                all.patterns.extend(masks.patterns);
                all
            })
        };
        ferroform_server::serve(
            Plugin::new(self.address).log_masks(all_masks).combined(self.providers, protocols),
        )
    }
}
