//! What a plan is made of, in the order of `plan_resource_change`.

mod ambiguity;
pub(crate) mod defaults;
pub(super) mod effective_change;
mod element_replacement;
pub(super) mod normalize;
mod plan_modifiers;
pub(super) mod proposed_state;
pub(super) mod replacement;
