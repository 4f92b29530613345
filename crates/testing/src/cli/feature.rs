//! The features of Terraform and OpenTofu that only some of their versions have.

use std::fmt;

/// The program that runs providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Product {
    /// `terraform`.
    Terraform,
    /// `tofu`.
    OpenTofu,
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Product::Terraform => "Terraform",
            Product::OpenTofu => "OpenTofu",
        })
    }
}

/// A feature that a test requires, and that older versions of Terraform or OpenTofu do not have. See
/// [`Cli::for_test_of`](super::Cli::for_test_of).
///
/// ```
/// use ferroform_testing::cli::{Feature, Product};
///
/// assert_eq!(Feature::ResourceIdentity.since(Product::Terraform), Some((1, 12)));
/// assert_eq!(Feature::ListResources.since(Product::OpenTofu), None, "no version has it yet");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Feature {
    /// Functions of providers: `provider::local::direxists("a")`.
    ProviderFunctions,
    /// `moved` blocks between resource types.
    ResourceMoves,
    /// `ephemeral` blocks.
    EphemeralResources,
    /// Write-only attributes, whose values are not stored.
    WriteOnlyAttributes,
    /// Resource identity, and `import` blocks with `identity`.
    ResourceIdentity,
    /// `list` blocks and the command `query`.
    ListResources,
    /// `action` blocks and `apply -invoke`.
    Actions,
    /// Configuration that the provider generates for imported objects.
    GeneratedConfiguration,
    /// Computed blocks.
    ComputedBlocks,
}

impl Feature {
    /// All features, from the oldest to the newest in Terraform.
    pub const ALL: [Feature; 9] = [
        Feature::ProviderFunctions,
        Feature::ResourceMoves,
        Feature::EphemeralResources,
        Feature::WriteOnlyAttributes,
        Feature::ResourceIdentity,
        Feature::ListResources,
        Feature::Actions,
        Feature::GeneratedConfiguration,
        Feature::ComputedBlocks,
    ];

    /// Returns the major and minor version of the first release with the feature, or `None` if no release has it.
    pub fn since(self, product: Product) -> Option<(u32, u32)> {
        let (terraform, tofu) = match self {
            Feature::ProviderFunctions => ((1, 8), Some((1, 7))),
            Feature::ResourceMoves => ((1, 8), Some((1, 10))),
            Feature::EphemeralResources => ((1, 10), Some((1, 11))),
            Feature::WriteOnlyAttributes => ((1, 11), Some((1, 11))),
            Feature::ResourceIdentity => ((1, 12), Some((1, 12))),
            Feature::ListResources | Feature::Actions | Feature::GeneratedConfiguration => ((1, 14), None),
            Feature::ComputedBlocks => ((1, 16), None),
        };
        match product {
            Product::Terraform => Some(terraform),
            Product::OpenTofu => tofu,
        }
    }
}

/// Writes the name of the feature: `write-only attributes`.
impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::ProviderFunctions => "provider-defined functions",
            Feature::ResourceMoves => "moves between resource types",
            Feature::EphemeralResources => "ephemeral resources",
            Feature::WriteOnlyAttributes => "write-only attributes",
            Feature::ResourceIdentity => "resource identity",
            Feature::ListResources => "list resources",
            Feature::Actions => "actions",
            Feature::GeneratedConfiguration => "generated configuration",
            Feature::ComputedBlocks => "computed blocks",
        })
    }
}
