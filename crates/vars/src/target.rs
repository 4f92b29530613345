//! The version of Terraform or OpenTofu whose behavior applies.
//!
//! The version of the request takes precedence. Without it, the latest version that satisfies all `required_version`
//! arguments of the module applies.
//!
//! ```
//! use ferroform_vars::Target;
//!
//! assert!("1.11".parse::<Target>().is_ok());
//! assert!("opentofu-1.6.2".parse::<Target>().is_ok());
//! assert!("latest".parse::<Target>().is_err());
//! ```

use std::fmt;
use std::str::FromStr;

use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::version_constraint::{Version, VersionConstraint, parse_version};

/// A patch number that is higher than that of any version.
const ANY_PATCH: u64 = u64::MAX;

/// The CLI whose behavior applies: Terraform or OpenTofu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Product {
    Terraform,
    OpenTofu,
}

/// The version of Terraform or OpenTofu whose behavior applies: `1.11`, `1.11.4`, `terraform-1.11.4`, `opentofu-1.6`.
///
/// Without a prefix, the version is a Terraform version, unless the module has `.tofu` files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    product: Option<Product>,
    version: Version,
    text: String,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Target, String> {
        let products = [
            ("terraform-", Product::Terraform),
            ("opentofu-", Product::OpenTofu),
            ("tofu-", Product::OpenTofu),
        ];
        let found = products.into_iter().find_map(|(prefix, it)| Some((text.strip_prefix(prefix)?, it)));
        let (number, product) = found.map_or((text, None), |(rest, it)| (rest, Some(it)));
        let (mut version, parts) =
            parse_version(number).ok_or("expected a version such as 1.11, 1.11.4 or opentofu-1.10")?;
        if parts < 3 {
            version[2] = ANY_PATCH;
        }
        if parts < 2 {
            version[1] = ANY_PATCH;
        }
        Ok(Target { product, version, text: text.to_owned() })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Target {
    /// Returns the behavior of `&&` and `||`.
    ///
    /// ```
    /// use ferroform_vars::Target;
    /// use ferroform_lang::expression::LogicalOperators;
    ///
    /// let target: Target = "1.11".parse()?;
    /// assert_eq!(target.logical_operators(), LogicalOperators::Strict);
    /// # Ok::<(), String>(())
    /// ```
    pub fn logical_operators(&self) -> LogicalOperators {
        Behavior::new(Some(self), &[], false).operators
    }

    /// Returns true if the version satisfies the constraints.
    pub(crate) fn satisfies(&self, constraints: &[VersionConstraint]) -> bool {
        let is_prefix =
            |it: &Version| it.iter().zip(&self.version).all(|(it, part)| *part == ANY_PATCH || it == part);
        list_candidates(constraints, &self.version)
            .any(|it| is_prefix(&it) && constraints.iter().all(|constraint| constraint.accepts(it)))
    }
}

/// The behavior that depends on the version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behavior {
    pub(crate) operators: LogicalOperators,
    /// True if a validation can refer only to the variable that it validates.
    pub(crate) is_limited_to_validated_variable: bool,
}

impl Behavior {
    /// Returns the behavior of the target, or of the latest version that satisfies all constraints.
    pub(crate) fn new(
        target: Option<&Target>,
        constraints: &[VersionConstraint],
        has_tofu_files: bool,
    ) -> Behavior {
        let product = target.and_then(|it| it.product);
        let is_tofu = product.map_or(has_tofu_files, |it| it == Product::OpenTofu);
        let is_at_least = |least: Version| match target {
            Some(target) => target.version >= least,
            None => {
                let mut later = list_candidates(constraints, &least).filter(|it| *it >= least);
                later.any(|it| constraints.iter().all(|constraint| constraint.accepts(it)))
            }
        };
        let has_short_circuit = is_at_least(if is_tofu { [1, 10, 0] } else { [1, 12, 0] });
        Behavior {
            operators: if has_short_circuit {
                LogicalOperators::ShortCircuit
            } else {
                LogicalOperators::Strict
            },
            is_limited_to_validated_variable: !is_at_least([1, 9, 0]),
        }
    }
}

/// Returns true if the target reads files with the extension `.tofu`, as OpenTofu does since 1.8.
pub(crate) fn can_read_tofu_files(target: Option<&Target>) -> bool {
    match target {
        Some(Target { product: Some(Product::Terraform), .. }) => false,
        Some(Target { product: Some(Product::OpenTofu), version, .. }) => *version >= [1, 8, 0],
        _ => true,
    }
}

/// Returns true if a version before 2.0 satisfies the constraints. No later version is known.
pub(crate) fn can_be_satisfied(constraints: &[VersionConstraint]) -> bool {
    list_candidates(constraints, &[1, 0, 0])
        .any(|it| it[0] < 2 && constraints.iter().all(|constraint| constraint.accepts(it)))
}

/// Returns versions at and around the bounds of the constraints. If any version satisfies the constraints, one of
/// these does.
fn list_candidates(constraints: &[VersionConstraint], bound: &Version) -> impl Iterator<Item = Version> {
    let bounds: Vec<Version> = constraints.iter().map(VersionConstraint::version).chain([*bound]).collect();
    bounds.into_iter().flat_map(|bound| {
        let [major, minor, patch] = bound.map(|it| if it == ANY_PATCH { 0 } else { it });
        [
            [major, minor, patch],
            [major, minor, patch.saturating_add(1)],
            [major, minor, patch.saturating_sub(1)],
            [major, minor, 999],
            [major, minor.saturating_add(1), 0],
            [major, minor.saturating_sub(1), 999],
            [major, 999, 0],
            [major.saturating_add(1), 0, 0],
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behavior(target: Option<&str>, required: &str) -> (bool, bool) {
        let target = target.map(|it| it.parse::<Target>().unwrap());
        let constraints =
            if required.is_empty() { Vec::new() } else { VersionConstraint::parse(required).unwrap() };
        let behavior = Behavior::new(target.as_ref(), &constraints, false);
        (behavior.operators == LogicalOperators::ShortCircuit, !behavior.is_limited_to_validated_variable)
    }

    #[test]
    fn behavior_follows_the_target_version() {
        for (target, short_circuit, references) in [
            ("1.8.5", false, false),
            ("1.9", false, true),
            ("1.11.4", false, true),
            ("1.12", true, true),
            ("1.12.0", true, true),
            ("2", true, true),
            ("v1.13.1", true, true),
            ("1.12.0-rc1", true, true),
            ("opentofu-1.9", false, true),
            ("opentofu-1.10", true, true),
            ("tofu-1.6.2", false, false),
            ("terraform-1.11", false, true),
        ] {
            assert_eq!(behavior(Some(target), ">= 1.0"), (short_circuit, references), "{target}");
        }
    }

    #[test]
    fn behavior_follows_the_latest_version_that_satisfies_required_version() {
        for (required, short_circuit, references) in [
            ("", true, true),
            (">= 1.3", true, true),
            ("~> 1.3", true, true),
            ("~> 1.11.0", false, true),
            ("< 1.12", false, true),
            ("<= 1.12", true, true),
            ("<= 1.12.0, != 1.12.0", false, true),
            (">= 1.5, < 1.9", false, false),
            ("= 1.8.2", false, false),
            ("1.14.0", true, true),
            ("> 1.12", true, true),
            ("< 2", true, true),
        ] {
            assert_eq!(behavior(None, required), (short_circuit, references), "{required}");
        }
    }

    #[test]
    fn target_without_patch_number_stands_for_all_patches() {
        let satisfies = |target: &str, required: &str| {
            target.parse::<Target>().unwrap().satisfies(&VersionConstraint::parse(required).unwrap())
        };
        assert!(satisfies("1.11", ">= 1.11.3"));
        assert!(satisfies("1.11", "= 1.11.3"));
        assert!(satisfies("1.11.4", "~> 1.11.2"));
        assert!(!satisfies("1.11", ">= 1.12"));
        assert!(!satisfies("1.11.2", ">= 1.11.3"));
        assert!(satisfies("1", ">= 1.12"));
    }

    #[test]
    fn invalid_versions_are_rejected() {
        for version in
            ["", "x", "1.", "1.x", "1.2.3.4", ">= 1", "+1", "terraform-", "1.99999999999999999999999"]
        {
            assert!(version.parse::<Target>().is_err(), "{version}");
        }
    }
}
