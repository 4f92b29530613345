//! A write-only password with a version.
//!
//! Terraform stores neither the password nor a hash of it. A practitioner who wants a new password changes the version
//! as well:
//!
//! ```hcl
//! resource "databases_user" "app" {
//!   name                = "app"
//!   password_wo         = ephemeral.random_password.app.result
//!   password_wo_version = 2
//! }
//! ```

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use ferroform::{
    ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result,
};

fn main() -> ExitCode {
    ferroform::serve::<Databases>()
}

/// The service: the password of each user.
static SERVICE: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

struct Databases;

impl Provider for Databases {
    const ADDRESS: &'static str = "registry.terraform.io/example/databases";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Databases))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<User>("databases_user");
    }
}

/// A user of a database.
#[derive(Model, Clone, Debug, PartialEq)]
struct User {
    /// Name of the user.
    #[attr(requires_replace)]
    name: String,
    /// Password. It is never stored.
    #[attr(write_only)]
    password_wo: String,
    /// Change this number to set the password again.
    password_wo_version: u64,
}

impl Resource for User {
    type Provider = Databases;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<UserComputed> {
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).insert(plan.name, plan.password_wo);
        Ok(UserComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let exists = SERVICE.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&state.name);
        Ok(exists.then_some(state))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<UserComputed> {
        match prior.password_wo_version == plan.password_wo_version {
            true => Ok(UserComputed {}),
            false => Self::create(cx, plan).await,
        }
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).remove(&state.name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ferroform_testing::{Action, Harness, config};

    use super::*;

    fn password(user: &str) -> Option<String> {
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).get(user).cloned()
    }

    #[test]
    fn password_is_set_again_when_its_version_changes() {
        let mut user = Harness::start::<Databases>(config! {}).resource("databases_user");
        user.apply(config! { name = "app", password_wo = "first-secret", password_wo_version = 1 });
        assert!(!user.state().to_string().contains("first-secret"));

        // A new password with the same version plans no change.
        let same_version = config! { name = "app", password_wo = "second-secret", password_wo_version = 1 };
        assert_eq!(user.plan(same_version).action, Action::NoOp);
        assert_eq!(password("app").as_deref(), Some("first-secret"));

        user.apply(config! { name = "app", password_wo = "second-secret", password_wo_version = 2 });
        assert_eq!(password("app").as_deref(), Some("second-secret"));
        user.destroy();
    }

    #[test]
    fn provider_violates_no_invariant() {
        ferroform_testing::check_provider::<Databases>();
    }
}
