//! The method `plan_delete`, and private state of objects that are destroyed.

use ferroform::{ApplyCx, Deferral, Diagnostic, Model, Planned, ReadCx, Resource, Result, path};
use ferroform_testing::{Action, Configuration, Harness, Instance, Invariant, config, provider};

provider! { Test { resource Vault = "test_vault" } }

/// An object whose destroy is confirmed by `plan_delete`.
#[derive(Model, Clone, Debug, PartialEq)]
struct Vault {
    #[attr(requires_replace)]
    name: String,
    /// Determines the result of the destroy.
    note: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for Vault {
    type Provider = Test;

    async fn plan_delete(cx: &ReadCx<Self>, state: Self) -> Result<()> {
        cx.warn(format!("{} will be deleted", state.name));
        cx.set_private("confirmed", &state.name)?;
        match state.note.as_deref() {
            Some("keep") => Err(Diagnostic::error("Protected").into()),
            Some("wait") => Err(cx.defer(Deferral::AbsentPrerequisite)),
            _ => Ok(()),
        }
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<VaultComputed> {
        assert_eq!(
            cx.private::<String>("confirmed")?,
            None,
            "the private state of the deleted object is not passed to create"
        );
        Ok(VaultComputed { id: plan.name })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<VaultComputed> {
        Ok(VaultComputed { id: prior.id })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        let times = cx.private::<u32>("times")?.unwrap_or_default() + 1;
        if state.note.as_deref() == Some("at the third time") && times < 3 {
            cx.set_private("times", &times)?;
            let confirmed = cx.private::<String>("confirmed")?;
            return Err(Diagnostic::error(format!("Confirmed for {confirmed:?}, tried {times} times")).into());
        }
        Ok(())
    }
}

fn vault(config: Configuration) -> Instance {
    // The objects exist only in the state.
    let harness =
        Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject).allow_deferral();
    let mut vault = harness.resource("test_vault");
    vault.apply(config);
    vault
}

#[test]
fn destroy_can_be_rejected() {
    let mut vault = vault(config! { name = "a", note = "keep" });
    assert!(vault.try_destroy().error().to_string().ends_with("Protected"));
    // A replacement destroys the object, so it can be rejected too.
    assert!(
        vault.try_apply(config! { name = "b", note = "keep" }).error().to_string().ends_with("Protected")
    );
    assert_eq!(vault.state().get::<String>(path!(name)), "a");
    vault.apply(config! { name = "a" });
    let planned = vault.plan_destroy();
    assert_eq!((planned.action, planned.deferred), (Action::Delete, None));
    assert_eq!(planned.warnings.to_string(), "a will be deleted");
    let replaced = vault.apply(config! { name = "b" });
    assert_eq!(
        (replaced.action, replaced.warnings.to_string().as_str()),
        (Action::Replace, "a will be deleted")
    );
    vault.destroy();
    assert!(!vault.exists());
}

#[test]
fn destroy_can_be_deferred() {
    let mut vault = vault(config! { name = "a", note = "wait" });
    assert_eq!(vault.plan_destroy().deferred, Some(Deferral::AbsentPrerequisite));
    assert_eq!(vault.try_destroy().deferral(), Deferral::AbsentPrerequisite);
    assert!(vault.exists());
    let replaced = vault.plan(config! { name = "b", note = "wait" });
    assert_eq!((replaced.action, replaced.deferred), (Action::Replace, Some(Deferral::AbsentPrerequisite)));
}

#[test]
fn failed_destroy_keeps_private_state() {
    let mut vault = vault(config! { name = "a", note = "at the third time" });
    let mut tried = || vault.try_destroy().error().to_string();
    assert_eq!(tried(), "a will be deleted\nConfirmed for Some(\"a\"), tried 1 times");
    assert_eq!(tried(), "a will be deleted\nConfirmed for Some(\"a\"), tried 2 times");
    vault.destroy();
}
