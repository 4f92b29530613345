//! The resource `directory_user`.

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result, path};

use crate::client::{ApiUser, Client, NewUser};
use crate::error::ApiError;

/// A user of the directory.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{id}")]
pub(crate) struct User {
    /// The ID that the directory assigns.
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// The email address. Changing it replaces the user.
    #[attr(requires_replace)]
    email: String,
    /// The name to display.
    name: String,
    /// Whether the user can sign in.
    #[attr(default = true)]
    active: bool,
}

impl From<ApiUser> for User {
    fn from(user: ApiUser) -> User {
        User { id: user.id, email: user.email, name: user.name, active: user.active }
    }
}

impl From<Planned<User>> for NewUser {
    fn from(plan: Planned<User>) -> NewUser {
        NewUser { email: plan.email, name: plan.name, active: plan.active }
    }
}

impl Resource for User {
    type Provider = Client;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<UserComputed> {
        let user = cx.provider.create_user(cx, &plan.into()).await?;
        // From now on, the state contains the user, even if this method fails or is canceled.
        cx.checkpoint_at(path!(id), &user.id);
        cx.provider.wait_for_revision(cx, &user).await?;
        Ok(User::from(user).into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        match cx.provider.read_user(cx, &state.id).await {
            // The next plan creates the user again.
            Err(ApiError::NotFound) => Ok(None),
            user => Ok(Some(user?.into())),
        }
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<UserComputed> {
        let user = cx.provider.update_user(cx, &prior.id, &plan.into()).await?;
        cx.provider.wait_for_revision(cx, &user).await?;
        Ok(User::from(user).into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        match cx.provider.delete_user(cx, &state.id).await {
            // Another program has deleted the user.
            Err(ApiError::NotFound) => Ok(()),
            result => Ok(result?),
        }
    }
}
