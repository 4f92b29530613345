//! Deferred actions: an unknown provider configuration, and deferral by methods.

use expect_test::expect;
use ferroform::operation::{Defer, HasProvider};
use ferroform::{
    ApplyCx, Args, Change, Config, DataCx, DataSource, Deferral, Diagnostic, Known, Maybe, MethodCx, Model,
    PlanCx, Planned, Proposed, Provider, ReadCx, Registry, RequestCx, Resource, Result, UnknownConfig,
};
use ferroform_testing::{Action, Configuration, Harness, Invariant, config, unknown};

/// The provider configuration.
#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    endpoint: Option<String>,
    region: Option<String>,
}

/// Each policy has its own provider with the same resources.
macro_rules! provider {
    ($module:ident, $name:ident, $policy:expr) => {
        mod $module {
            use super::*;

            pub(super) struct $name;

            impl Provider for $name {
                const ADDRESS: &'static str = "example.com/test/test";
                type Config = Settings;

                async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
                    // The client does not need the region, which may be unknown.
                    Ok(config.endpoint.map(|_| $name))
                }

                fn register(registry: &mut Registry<Self>) {
                    registry
                        .resource::<Thing>("test_thing")
                        .resource::<Plain>("test_plain")
                        .data_source::<Lookup>("test_lookup")
                        .unknown_config($policy);
                }
            }

            /// A resource with a `plan` method. Its name determines the method that defers.
            #[derive(Model, Clone, Debug, PartialEq)]
            pub(super) struct Thing {
                name: Option<String>,
                #[attr(default = "blue")]
                color: String,
                #[attr(computed)]
                id: String,
            }

            fn wait<T: HasProvider<Op>, Op: Defer>(
                cx: &MethodCx<T, Op>,
                name: Option<&str>,
                operation: &str,
            ) -> Result<()> {
                match name {
                    Some(it) if it == operation => Err(cx.defer(Deferral::AbsentPrerequisite)),
                    _ => Ok(()),
                }
            }

            impl Resource for Thing {
                type Provider = $name;

                async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
                    let name = change.config.name.clone().known().flatten();
                    wait(cx, name.as_deref(), "plan")?;
                    if name.as_deref() == Some("titled") {
                        let deferred = cx.defer(Deferral::AbsentPrerequisite);
                        let author = Diagnostic::error("Deferred");
                        let detailed = author.clone().detail("The order was postponed.");
                        return Err(deferred.into_iter().chain([author, detailed]).collect());
                    }
                    if name.as_deref() == Some("plan with result") {
                        cx.defer(Deferral::ConfigUnknown);
                        return Ok(Proposed::<Self> { id: Known("guessed".into()), ..change.plan });
                    }
                    Ok(change.plan)
                }

                async fn plan_delete(cx: &ReadCx<Self>, state: Self) -> Result<()> {
                    wait(cx, state.name.as_deref(), "plan_delete")
                }

                async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<ThingComputed> {
                    Ok(ThingComputed { id: "created".into() })
                }

                async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
                    wait(cx, state.name.as_deref(), "read")?;
                    Ok(Some(state))
                }

                async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<ThingComputed> {
                    Ok(ThingComputed { id: "changed".into() })
                }

                async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
                    Ok(())
                }

                async fn import(cx: &ReadCx<Self>, id: String) -> Result<Self> {
                    wait(cx, Some(&id), "import")?;
                    Ok(Thing { name: None, color: "blue".into(), id })
                }
            }

            /// A resource without a `plan` method.
            #[derive(Model, Clone, Debug, PartialEq)]
            #[attr(import = "{name}")]
            pub(super) struct Plain {
                #[attr(identity, requires_replace)]
                name: String,
                #[attr(computed, use_state_for_unknown)]
                id: String,
            }

            impl Resource for Plain {
                type Provider = $name;

                async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<PlainComputed> {
                    Ok(PlainComputed { id: "created".into() })
                }

                async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
                    Ok(Some(state))
                }

                async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
                    Ok(())
                }
            }

            #[derive(Model, Clone, Debug, PartialEq)]
            pub(super) struct Lookup {
                name: String,
                #[attr(computed)]
                found: String,
            }

            impl DataSource for Lookup {
                type Provider = $name;

                async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<LookupComputed> {
                    wait(cx, Some(&args.name), "read")?;
                    assert_eq!(cx.is_deferral_allowed(), args.name == "allowed");
                    Ok(LookupComputed { found: "it".into() })
                }
            }
        }
    };
}

provider!(defers, Defers, UnknownConfig::Defer);
provider!(proceeds, Proceeds, UnknownConfig::Proceed);
provider!(rejects, Rejects, UnknownConfig::Reject);

fn start<P: Provider>(config: Configuration) -> Harness {
    // The objects exist only in the state.
    Harness::start::<P>(config).skip_check(Invariant::DestroyRemovesObject)
}

fn configured() -> Harness {
    start::<defers::Defers>(config! {})
}

fn unconfigured<P: Provider>() -> Harness {
    start::<P>(config! { endpoint = unknown() })
}

const NOT_CONFIGURED: &str = "Provider Not Configured: The provider's configuration depends on values that are \
    not known yet, so this operation cannot run. Apply the resources that those values come from first, for example with -target.";

const DATA_SOURCE_NOT_CONFIGURED: &str = "Provider Not Configured: The provider's configuration depends on values that \
    are not known yet, so this operation cannot run. Apply the resources that those values come from first, for example \
    with -target. Alternatively, add these resources to the depends_on argument of the data source, so that it is read \
    during apply.";

fn thing() -> Configuration {
    config! { name = "a", color = "blue", id = "created" }
}

#[test]
fn unconfigured_provider_defers_all_operations() {
    let harness = unconfigured::<defers::Defers>().allow_deferral();
    let mut new = harness.resource("test_thing");
    expect![[r#"
        create, deferred: ProviderConfigUnknown
        + color = "blue"
        + id = (known after apply)"#]]
    .assert_eq(&new.plan(config! {}).to_string());
    assert_eq!(new.try_apply(config! {}).deferral(), Deferral::ProviderConfigUnknown);

    let mut old = harness.resource("test_thing").with_state(thing());
    let read = old.refresh();
    assert_eq!((read.action, read.deferred), (Action::NoOp, Some(Deferral::ProviderConfigUnknown)));
    assert_eq!(harness.resource("test_thing").try_import("x").deferral(), Deferral::ProviderConfigUnknown);
    let lookup = harness.data_source("test_lookup");
    assert_eq!(lookup.try_read(config! { name = "a" }).deferral(), Deferral::ProviderConfigUnknown);
    // A resource without `plan` is deferred too, because `create` would fail.
    let mut plain = harness.resource("test_plain");
    assert_eq!(plain.plan(config! { name = "a" }).deferred, Some(Deferral::ProviderConfigUnknown));

    // An object without a known identity is deferred too.
    let mut old = harness.resource("test_plain").with_state(config! { name = "a", id = "created" });
    assert_eq!(old.refresh().deferred, Some(Deferral::ProviderConfigUnknown));

    // After the provider is configured, the operation continues.
    harness.configure(config! { endpoint = "there" });
    assert_eq!(new.apply(config! {}).deferred, None);
}

#[test]
fn reject_policy_defers_all_operations() {
    let harness = unconfigured::<rejects::Rejects>().allow_deferral();
    let reason = Deferral::ProviderConfigUnknown;
    assert_eq!(harness.resource("test_thing").try_plan(config! {}).deferral(), reason);
    assert_eq!(harness.resource("test_thing").with_state(thing()).try_refresh().deferral(), reason);
}

#[test]
fn reject_policy_is_an_error_without_deferral_support() {
    let harness = unconfigured::<rejects::Rejects>();
    assert_eq!(harness.resource("test_thing").try_apply(config! {}).error().to_string(), NOT_CONFIGURED);
    let mut old = harness.resource("test_thing").with_state(thing());
    assert_eq!(old.try_destroy().error().to_string(), NOT_CONFIGURED);
    assert_eq!(harness.resource("test_thing").try_import("x").error().to_string(), NOT_CONFIGURED);
    assert_eq!(
        harness.data_source("test_lookup").try_read(config! { name = "a" }).error().to_string(),
        DATA_SOURCE_NOT_CONFIGURED
    );
    // A plan that calls no method does not need a configured provider.
    assert_eq!(harness.resource("test_plain").plan(config! { name = "a" }).action, Action::Create);
}

#[test]
fn provider_may_be_configured_with_unknown_values() {
    let harness = start::<defers::Defers>(config! { region = unknown() }).allow_deferral();
    assert_eq!(harness.resource("test_thing").apply(config! {}).deferred, None);
}

#[test]
fn default_policy_continues_without_the_provider_if_deferral_is_not_supported() {
    assert_eq!(UnknownConfig::default(), UnknownConfig::Defer);
    continues_without_the_provider(&unconfigured::<defers::Defers>(), false);
}

#[test]
fn unknown_config_proceed_continues_without_the_provider() {
    continues_without_the_provider(&unconfigured::<proceeds::Proceeds>(), false);
    continues_without_the_provider(&unconfigured::<proceeds::Proceeds>().allow_deferral(), true);
}

/// A resource that gains a `plan` method plans as before while the provider is not configured.
#[test]
fn plan_method_does_not_change_the_plan_of_an_unconfigured_provider() {
    let harness = unconfigured::<defers::Defers>();
    let plain = config! { name = "a", id = "created" };
    for (resource, state) in [("test_thing", thing()), ("test_plain", plain)] {
        let config = config! { name = "a" };
        assert_eq!(harness.resource(resource).plan(config.clone()).action, Action::Create, "{resource}");
        let mut old = harness.resource(resource).with_state(state);
        assert_eq!(old.refresh().action, Action::NoOp, "{resource}");
        assert_eq!(old.plan(config).action, Action::NoOp, "{resource}");
    }
}

fn continues_without_the_provider(harness: &Harness, allowed: bool) {
    // The plan is computed from the schema. `plan`, which would defer, is not called.
    let planned = harness.resource("test_thing").plan(config! { name = "plan" });
    assert_eq!((planned.action, planned.deferred), (Action::Create, None));
    let mut old = harness.resource("test_thing").with_state(thing());
    assert_eq!((old.refresh().action, old.refresh().deferred), (Action::NoOp, None));
    let changed = old.plan(config! { name = "plan" });
    assert_eq!((changed.action, changed.deferred), (Action::Update, None));

    let lookup = harness.data_source("test_lookup");
    if allowed {
        let reason = Deferral::ProviderConfigUnknown;
        assert_eq!(harness.resource("test_thing").try_import("x").deferral(), reason);
        assert_eq!(lookup.try_read(config! { name = "a" }).deferral(), reason);
    } else {
        assert_eq!(harness.resource("test_thing").try_import("x").error().to_string(), NOT_CONFIGURED);
        assert_eq!(lookup.try_read(config! { name = "a" }).error().to_string(), DATA_SOURCE_NOT_CONFIGURED);
    }
    // Only the provider can determine whether the object exists.
    let mut plain = harness.resource("test_plain");
    if allowed {
        assert_eq!(plain.try_import("x").deferral(), Deferral::ProviderConfigUnknown);
    } else {
        assert_eq!(plain.try_import("x").error().to_string(), NOT_CONFIGURED);
        let errors = plain.try_import_by_identity(config! { name = "x" }).error();
        assert_eq!(errors.to_string(), NOT_CONFIGURED);
    }
    // An object that is not read keeps its prior state.
    let mut plain = harness.resource("test_plain").with_state(config! { name = "x", id = "created" });
    assert_eq!(plain.refresh().action, Action::NoOp);
    assert_eq!(plain.identity().to_string(), "name = \"x\"");
    // `create` needs a configured provider.
    let mut new = harness.resource("test_plain");
    assert_eq!(new.try_apply(config! { name = "a" }).error().to_string(), NOT_CONFIGURED);
}

#[test]
fn method_defers_its_operation() {
    let reason = Some(Deferral::AbsentPrerequisite);
    let harness = configured().allow_deferral();
    let planned = harness.resource("test_thing").plan(config! { name = "plan" });
    expect![[r#"
        create, deferred: AbsentPrerequisite
        + name = "plan"
        + color = "blue"
        + id = (known after apply)"#]]
    .assert_eq(&planned.to_string());
    let guessed = harness.resource("test_thing").plan(config! { name = "plan with result" });
    assert_eq!(guessed.deferred, Some(Deferral::ConfigUnknown));
    assert_eq!(guessed.after.unwrap().get::<String>(ferroform::path!(id)), "guessed");
    let planned = harness.resource("test_thing").try_plan(config! { name = "plan with result" });
    assert_eq!(planned.partial().after.as_ref().unwrap().get::<String>(ferroform::path!(id)), "guessed");
    assert_eq!(planned.deferral(), Deferral::ConfigUnknown);

    let mut old =
        harness.resource("test_thing").with_state(config! { name = "read", color = "red", id = "x" });
    let read = old.refresh();
    assert_eq!((read.action, read.deferred), (Action::NoOp, reason));
    assert_eq!(old.try_refresh().deferral(), Deferral::AbsentPrerequisite);
    let kept = config! { name = "plan_delete", color = "red", id = "x" };
    let mut kept = harness.resource("test_thing").with_state(kept);
    assert_eq!(kept.try_plan_destroy().deferral(), Deferral::AbsentPrerequisite);
    assert_eq!(kept.try_destroy().deferral(), Deferral::AbsentPrerequisite);
    assert_eq!(harness.resource("test_thing").try_import("import").deferral(), Deferral::AbsentPrerequisite);
    let lookup = harness.data_source("test_lookup");
    assert_eq!(lookup.try_read(config! { name = "read" }).deferral(), Deferral::AbsentPrerequisite);
    lookup.read(config! { name = "allowed" });
}

#[test]
fn deferral_without_support_is_an_error() {
    let harness = configured();
    let wait = "must be deferred, because a prerequisite does not exist yet. This version of Terraform or OpenTofu does not support deferred actions. Apply the missing prerequisites first, for example with -target.";
    let errors = harness.resource("test_thing").try_apply(config! { name = "plan" }).error();
    assert_eq!(errors.to_string(), format!("Deferral Not Supported: The plan of test_thing {wait}"));
    // A plan that is returned together with a deferral is rejected too.
    let errors =
        harness.resource("test_thing").try_apply(config! { name = "plan with result" }).error().to_string();
    assert!(
        errors.contains("because its configuration depends on values that are not known yet"),
        "{errors}"
    );
    let mut old =
        harness.resource("test_thing").with_state(config! { name = "read", color = "red", id = "x" });
    let errors = old.try_destroy().error();
    assert_eq!(errors.to_string(), format!("Deferral Not Supported: The read of test_thing {wait}"));
    let errors = harness.resource("test_thing").try_import("import").error();
    assert_eq!(errors.to_string(), format!("Deferral Not Supported: The import of test_thing {wait}"));
    let errors = harness.data_source("test_lookup").try_read(config! { name = "read" }).error();
    assert_eq!(errors.to_string(), format!("Deferral Not Supported: The read of test_lookup {wait}"));
}

#[test]
fn diagnostic_with_summary_of_deferral_is_not_a_deferral() {
    let harness = configured().allow_deferral();
    let errors = harness.resource("test_thing").try_apply(config! { name = "titled" }).error();
    expect![[r#"
        Deferred
        Deferred: The order was postponed."#]]
    .assert_eq(&errors.to_string());
}
