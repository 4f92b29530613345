//! A provider that makes ephemeral values visible in the state.

use ferroform::{
    ApplyCx, Config, Dynamic, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource,
    Result, Unknown,
};

/// A provider that stores its configuration in the state, for tests of ephemeral resources.
///
/// Terraform does not store the values of ephemeral resources, so a test cannot read them. But a provider configuration can
/// refer to them, and the resource `echo` of this provider copies the configuration. Its address is
/// `registry.terraform.io/ferroform/echo`.
///
/// ```no_run
/// # ferroform_testing::provider! { Cloud {} }
/// use ferroform_testing::Echo;
/// use ferroform_testing::cli::Feature;
/// use ferroform_testing::workspace::{Runner, Result, Workspace};
///
/// fn token_has_a_value() -> Result<()> {
///     for runner in Runner::all_with(&[Feature::EphemeralResources]) {
///         let workspace = Workspace::on(&runner)?.attach::<Cloud>()?.attach::<Echo>()?;
///         workspace.write("main.tf", r#"
///             ephemeral "cloud_token" "reader" {
///               role = "reader"
///             }
///
///             provider "echo" {
///               data = ephemeral.cloud_token.reader
///             }
///
///             resource "echo" "token" {}
///         "#)?;
///         workspace.apply()?;
///         assert_eq!(workspace.state()?.get("echo.token")?.values["data"]["role"], "reader");
///     }
///     Ok(())
/// }
/// ```
pub struct Echo {
    data: Option<Dynamic>,
}

/// The configuration of [`Echo`].
#[doc(hidden)]
#[derive(Model, Clone, Debug, PartialEq)]
pub struct EchoSettings {
    /// The values to store.
    pub data: Option<Dynamic>,
}

/// The values of the provider configuration.
#[derive(Model, Clone, Debug, PartialEq)]
struct EchoedData {
    /// The values of the provider configuration when the object was created.
    #[attr(computed, use_non_null_state_for_unknown)]
    data: Option<Dynamic>,
}

impl Provider for Echo {
    const ADDRESS: &'static str = "registry.terraform.io/ferroform/echo";
    type Config = EchoSettings;

    async fn configure(_: &RequestCx, config: Config<EchoSettings>) -> Result<Maybe<Echo>> {
        let Known(settings) = EchoSettings::from_config(config)? else { return Ok(Unknown) };
        Ok(Known(Echo { data: settings.data }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<EchoedData>("echo");
    }
}

impl Resource for EchoedData {
    type Provider = Echo;

    async fn create(cx: &ApplyCx<Self>, _: Planned<Self>) -> Result<EchoedDataComputed> {
        Ok(EchoedDataComputed { data: cx.provider.data.clone() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}
