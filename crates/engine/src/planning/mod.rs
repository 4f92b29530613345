//! The phases of a plan, in the order of `rpc/plan_resource_change.rs`: the proposed new state with its plan modifiers,
//! and the replacements.

mod ambiguity;
pub mod change_detection;
mod element_replacement;
mod plan_modifiers;
pub mod proposed_state;
pub mod replacement;
