//! State upgrades and identity upgrades between models.

use std::sync::Arc;

use ferroform_engine::rpc::sdkv2_state::without_unset_values;
use ferroform_engine::schema::UpgradeStep;

use super::{IdentitySchema, Upgrades};
use crate::{Attr, Diagnostic, Diagnostics, Model, Result};

/// The methods of [`Upgrades`] that take models.
///
/// ```
/// use ferroform::Model;
/// use ferroform::schema::{Upgrades, UpgradesExt as _};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct DiskV0 {
///     gigabytes: u64,
/// }
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// #[attr(version = 1, upgrade_from = DiskV0)]
/// struct Disk {
///     megabytes: u64,
/// }
///
/// impl From<DiskV0> for Disk {
///     fn from(old: DiskV0) -> Disk {
///         Disk { megabytes: old.gigabytes * 1000 }
///     }
/// }
/// // The derive generates this for `Disk::upgrades`.
/// let upgrades = Upgrades::to::<DiskV0, Disk>();
/// ```
pub trait UpgradesExt: Sized {
    /// The state upgrades to the model `Old`, followed by one from `Old` to `New`.
    fn to<Old: UpgradesTo<New>, New: Model>() -> Self;

    /// Reports the warnings that a function returns for the object of the model `Old`, the model of the last upgrade:
    /// `#[attr(upgrade_warnings = …)]`.
    #[must_use]
    fn with_warnings<Old: Model, W: IntoIterator<Item = Diagnostic>>(
        self,
        f: impl Fn(&Old) -> W + Send + Sync + 'static,
    ) -> Self;

    /// The state upgrades from this version up to that of the model, whose states the model reads as well. The derive generates it
    /// for a range of versions, such as `#[attr(version = 0..=2)]`.
    #[must_use]
    fn unchanged_since<M: Model>(self, first: i64) -> Self;

    /// The state upgrade from the previous version of the model, which an SDKv2 provider has written with the same
    /// attributes. Values that SDKv2 stores for omitted arguments become null. The derive generates it for
    /// `#[attr(upgrade_from_sdkv2)]`.
    fn from_sdkv2<M: Model>() -> Self;
}

impl UpgradesExt for Upgrades {
    fn to<Old: UpgradesTo<New>, New: Model>() -> Upgrades {
        let mut upgrades = Old::upgrades();
        upgrades.steps.push(UpgradeStep::new(Old::VERSION, Old::schema, |old| {
            Ok(Old::from_value(old)?.upgrade_to_next()?.to_value())
        }));
        upgrades
    }

    fn with_warnings<Old: Model, W: IntoIterator<Item = Diagnostic>>(
        mut self,
        f: impl Fn(&Old) -> W + Send + Sync + 'static,
    ) -> Upgrades {
        if let Some(last) = self.steps.last_mut() {
            last.warnings = Some(Arc::new(move |old| Ok(f(&Old::from_value(old)?).into_iter().collect())));
        }
        self
    }

    fn unchanged_since<M: Model>(mut self, first: i64) -> Upgrades {
        self.steps.extend((first..M::VERSION).map(|version| {
            UpgradeStep::new(version, move || M::schema().version(version), |old| Ok(old.clone()))
        }));
        self
    }

    fn from_sdkv2<M: Model>() -> Upgrades {
        let version = M::VERSION - 1;
        let mut upgrades = Upgrades::oldest(version);
        upgrades.steps.push(UpgradeStep::new(
            version,
            move || M::schema().version(version),
            |old| Ok(without_unset_values(&M::schema().block, old.clone())),
        ));
        upgrades
    }
}

/// The methods of [`IdentitySchema`] that take models. `#[derive(Model)]` calls them for `#[attr(identity_from(…))]`.
///
/// ```
/// use ferroform::Model;
/// use ferroform::schema::{IdentitySchema, IdentitySchemaExt as _};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct DiskIdentityV0 {
///     name: String,
/// }
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct DiskIdentity {
///     id: String,
/// }
///
/// impl From<DiskIdentityV0> for DiskIdentity {
///     fn from(old: DiskIdentityV0) -> DiskIdentity {
///         DiskIdentity { id: format!("disks/{}", old.name) }
///     }
/// }
///
/// let identity = IdentitySchema::of::<DiskIdentity>().version(1).upgrade::<DiskIdentityV0, DiskIdentity>();
/// assert_eq!(identity.version, 1);
/// assert!(identity.block.get("id").is_some());
/// ```
pub trait IdentitySchemaExt: Sized {
    /// The identity schema of a model.
    fn of<T: Attr>() -> Self;

    /// Adds an upgrade from the identity version of `Old` to `New`.
    #[must_use]
    fn upgrade<Old: UpgradesTo<New>, New: Model>(self) -> Self;
}

impl IdentitySchemaExt for IdentitySchema {
    fn of<T: Attr>() -> IdentitySchema {
        IdentitySchema::raw(T::block().unwrap_or_default())
    }

    fn upgrade<Old: UpgradesTo<New>, New: Model>(self) -> IdentitySchema {
        self.upgrade_raw(Old::schema().version, Old::ty(), |old| {
            // Terraform has no configuration at the path of the error, so the detail names the attribute.
            let old = Old::from_value(old)
                .map_err(|it| Diagnostic::error("Invalid Identity").detail(it.to_string()));
            Ok(old?.upgrade_to_next()?.to_value())
        })
    }
}

/// A model whose states can be upgraded to the model `New`. It is implemented for every model with `From<Old> for New`,
/// or `TryFrom` if the upgrade can fail.
///
/// ```
/// use ferroform::{Diagnostic, Diagnostics, Model, UpgradesTo, path};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct DiskV0 {
///     size: String,
/// }
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Disk {
///     size: u64,
/// }
///
/// impl TryFrom<DiskV0> for Disk {
///     type Error = Diagnostics;
///
///     fn try_from(old: DiskV0) -> Result<Disk, Diagnostics> {
///         let invalid = |_| Diagnostic::error("Invalid Disk Size").at(path!(size));
///         Ok(Disk { size: old.size.parse().map_err(invalid)? })
///     }
/// }
///
/// let disk: Disk = DiskV0 { size: "7".to_owned() }.upgrade_to_next()?;
/// assert_eq!(disk.size, 7);
/// # Ok::<(), Diagnostics>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`upgrade_from`, `identity_from` and `Moves::from_type` need a conversion from `{Self}` to `{New}`",
    label = "no `From` or `TryFrom` conversion to `{New}`",
    note = "write `impl From<{Self}> for {New}`, or `TryFrom` with `Diagnostics` or any standard error",
    note = "both must be models with `#[derive(Model)]`"
)]
pub trait UpgradesTo<New>: Model {
    /// Converts the object into the next model.
    ///
    /// # Errors
    ///
    /// The error of the conversion.
    fn upgrade_to_next(self) -> Result<New>;
}

#[diagnostic::do_not_recommend]
impl<Old, New> UpgradesTo<New> for Old
where
    Old: Model,
    New: Model + TryFrom<Old>,
    New::Error: Into<Diagnostics>,
{
    fn upgrade_to_next(self) -> Result<New> {
        New::try_from(self).map_err(Into::into)
    }
}
