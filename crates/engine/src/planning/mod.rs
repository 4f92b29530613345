//! The phases of a plan, in the order of `rpc/plan_resource_change.rs`: the normalized configuration, the proposed new state
//! with its plan modifiers, and the replacements.

mod ambiguity;
pub mod change_detection;
pub mod defaults;
mod element_replacement;
pub mod normalize;
mod plan_modifiers;
pub mod proposed_state;
pub mod replacement;
