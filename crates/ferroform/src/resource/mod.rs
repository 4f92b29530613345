//! Managed resources, as an author writes them.

use std::future::Future;

mod identity;
mod moves;

pub use self::identity::Identity;
pub use self::moves::{MoveSource, Moves};
use crate::left_out::LeftOut;
use crate::model::{Config, Planned, Proposed};
use crate::root::ResourceRoot;
use crate::{Call, Cx, Model, Provider, RawState, Result};

/// A kind of object that Terraform creates, reads, changes and deletes.
///
/// All methods are plain `async fn`. Which values may be unknown stands in the signatures.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "write `impl Resource for {Self}` with `create`, `read` and `delete`"
)]
pub trait Resource: Model<Identity: Identity<Self>> + ResourceRoot {
    /// The provider that it belongs to.
    type Provider: Provider;

    /// Judges a configuration as a whole, before anything is planned. Rules for one attribute stand better
    /// in its `validate`. No provider is configured yet.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration, with `.at(path!(…))`.
    fn validate(cx: &Call, config: Config<Self>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        LeftOut::new()
    }

    /// Changes the plan that Ferroform has made: sets computed values that are known already, or refuses.
    /// Not called for a destruction.
    ///
    /// # Errors
    ///
    /// Why this change must not be made.
    fn plan(
        cx: &Cx<Self::Provider>,
        change: Change<Self>,
    ) -> impl Future<Output = Result<Proposed<Self>>> + Send {
        let _ = (cx, change);
        LeftOut::new()
    }

    /// Warns of a destruction while it is planned (`cx.warn`), or refuses it. That of a replacement which a change needs
    /// is one too; of those for another reason, such as `-replace` or a tainted object, the host tells no provider.
    ///
    /// # Errors
    ///
    /// Why the object must not be destroyed.
    fn plan_delete(cx: &Cx<Self::Provider>, state: Self) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, state);
        LeftOut::new()
    }

    /// Makes the object, and answers what the provider writes. The rest of the state comes from the plan.
    ///
    /// # Errors
    ///
    /// Why it could not be made. What [`checkpoint`](Call::checkpoint) has kept stays in the state.
    fn create(
        cx: &Cx<Self::Provider>,
        plan: Planned<Self>,
    ) -> impl Future<Output = Result<Self::Computed>> + Send;

    /// Reads the object as it is now; none where it is gone.
    ///
    /// # Errors
    ///
    /// Why it could not be read. The state stays as it was.
    fn read(cx: &Cx<Self::Provider>, state: Self) -> impl Future<Output = Result<Option<Self>>> + Send;

    /// Changes the object in place, and answers what the provider writes. Left out, every change replaces.
    ///
    /// # Errors
    ///
    /// Why it could not be changed. The state stays as it was before, with what
    /// [`checkpoint`](Call::checkpoint) has kept.
    fn update(
        cx: &Cx<Self::Provider>,
        prior: Self,
        plan: Planned<Self>,
    ) -> impl Future<Output = Result<Self::Computed>> + Send {
        let _ = (cx, prior, plan);
        LeftOut::new()
    }

    /// Deletes the object. One that is gone already is no error.
    ///
    /// # Errors
    ///
    /// Why it could not be deleted. The state stays as it was.
    fn delete(cx: &Cx<Self::Provider>, state: Self) -> impl Future<Output = Result<()>> + Send;

    /// Finds an object that exists already by an id of `terraform import` that is none of the patterns of
    /// `#[attr(import = "…")]`. Left out, there are no others.
    ///
    /// # Errors
    ///
    /// What is wrong with the id, or that there is no such object.
    fn import(cx: &Cx<Self::Provider>, id: String) -> impl Future<Output = Result<Self>> + Send {
        let _ = (cx, id);
        LeftOut::new()
    }

    /// Makes the object of a stored one of an earlier version that no `upgrade_from` covers. Left out, such a
    /// state is refused. No provider need be configured.
    ///
    /// # Errors
    ///
    /// Why it cannot be made of that one.
    fn upgrade(cx: &Call, stored: RawState) -> impl Future<Output = Result<Self>> + Send {
        let _ = (cx, stored);
        LeftOut::new()
    }

    /// Names the resources whose objects this one takes over where a `moved` block says so: each with the
    /// model of its state, which becomes `Self` by `From` or `TryFrom`.
    fn moves(moves: &mut Moves<Self>) {
        let _ = moves;
    }

    /// Takes over an object of another resource that is in none of [`moves`](Resource::moves); none where it
    /// cannot. No provider need be configured.
    ///
    /// # Errors
    ///
    /// Why this object cannot be taken over.
    fn move_from(cx: &Call, source: MoveSource) -> impl Future<Output = Result<Option<Self>>> + Send {
        let _ = (cx, source);
        LeftOut::new()
    }
}

/// What is about to change: handed to [`Resource::plan`].
#[derive(Clone, Debug)]
pub struct Change<M: Model> {
    /// The configuration as written, with what `default_with` puts in.
    pub config: Config<M>,
    /// The object as it is; none where it is to be created.
    pub prior: Option<M>,
    /// The plan so far.
    pub plan: Proposed<M>,
}
