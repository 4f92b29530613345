//! The pages of the `docs` folder, as part of this documentation.

#[doc = include_str!("../docs/writing.md")]
pub mod writing {}

#[doc = include_str!("../docs/views.md")]
pub mod views {}

#[doc = include_str!("../docs/schema.md")]
pub mod schema {}

#[doc = include_str!("../docs/validation.md")]
pub mod validation {}

#[doc = include_str!("../docs/behaviours.md")]
pub mod behaviours {}

#[doc = include_str!("../docs/element-matching.md")]
pub mod element_matching {}

#[doc = include_str!("../docs/sdkv2-matrix.md")]
pub mod sdkv2_matrix {}

#[doc = include_str!("../docs/upgrades.md")]
pub mod upgrades {}

#[doc = include_str!("../docs/identity.md")]
pub mod identity {}

#[doc = include_str!("../docs/errors.md")]
pub mod errors {}

#[doc = include_str!("../docs/operations.md")]
pub mod operations {}

#[doc = include_str!("../docs/threads.md")]
pub mod threads {}

#[doc = include_str!("../docs/testing.md")]
pub mod testing {}

#[doc = include_str!("../docs/running.md")]
pub mod running {}

#[doc = include_str!("../docs/vars.md")]
pub mod vars {}

#[doc = include_str!("../docs/from-go.md")]
pub mod from_go {}

/// The README's program is compiled along with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub mod readme {}
