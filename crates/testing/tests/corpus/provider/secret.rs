//! The resource `corpus_secret`: a write-only attribute and a computed secret.

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use super::Corpus;

/// A secret.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Secret {
    #[attr(requires_replace)]
    name: String,
    #[attr(write_only)]
    token: Option<String>,
    /// A new version writes the token.
    token_version: Option<i64>,
    /// The length of the token when it was written.
    #[attr(computed, follows(token_version))]
    token_length: i64,
    #[attr(computed, sensitive, use_state_for_unknown)]
    password: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Secret {
    fn from_plan(plan: Planned<Self>, id: String) -> Secret {
        let length = plan.token.as_ref().map_or(0, String::len);
        Secret {
            password: format!("password of {}", plan.name),
            token_length: plan.token_length.unwrap_or(i64::try_from(length).unwrap_or(i64::MAX)),
            name: plan.name,
            token: None,
            token_version: plan.token_version,
            id,
        }
    }
}

impl Resource for Secret {
    type Provider = Corpus;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SecretComputed> {
        let id = cx.provider.new_id(&plan.name);
        let object = Secret::from_plan(plan, id);
        cx.provider.create(&object.id, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.read(&state.id)
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<SecretComputed> {
        let object = Secret::from_plan(plan, prior.id);
        cx.provider.update(&object.id, &object)?;
        Ok(object.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.delete(&state.id)
    }
}
