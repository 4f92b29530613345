//! The licenses of a provider.

use clap::builder::PossibleValue;

/// A license, with its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum License {
    Mit,
    Apache2,
    Mpl2,
    /// Both, at the choice of the licensee, as for most Rust crates.
    MitOrApache2,
}

const MIT: &str = include_str!("licenses/MIT.txt");
const APACHE: &str = include_str!("licenses/Apache-2.0.txt");
const MPL: &str = include_str!("licenses/MPL-2.0.txt");

impl License {
    /// The option for no license.
    pub(super) const NONE: &str = "none";
    /// The values of the option. Shells complete no value with spaces, so hyphens can replace those of an SPDX
    /// expression.
    pub(super) fn option_values() -> [PossibleValue; 5] {
        [
            PossibleValue::new("MIT"),
            PossibleValue::new("Apache-2.0"),
            PossibleValue::new("MPL-2.0"),
            PossibleValue::new("MIT-OR-Apache-2.0").alias("MIT OR Apache-2.0"),
            PossibleValue::new(License::NONE),
        ]
    }

    /// Returns the license with an SPDX expression, with spaces or hyphens; `None` for [`License::NONE`].
    pub(super) fn from_name(name: &str) -> Option<License> {
        [License::Mit, License::Apache2, License::Mpl2, License::MitOrApache2]
            .into_iter()
            .find(|it| it.name() == name || it.name().replace(' ', "-") == name)
    }

    /// Returns the SPDX expression.
    pub(super) fn name(self) -> &'static str {
        match self {
            License::Mit => "MIT",
            License::Apache2 => "Apache-2.0",
            License::Mpl2 => "MPL-2.0",
            License::MitOrApache2 => "MIT OR Apache-2.0",
        }
    }

    /// Returns the names and the templates of the files.
    pub(super) fn files(self) -> Vec<(&'static str, &'static str)> {
        match self {
            License::Mit => vec![("LICENSE", MIT)],
            License::Apache2 => vec![("LICENSE", APACHE)],
            License::Mpl2 => vec![("LICENSE", MPL)],
            License::MitOrApache2 => vec![("LICENSE-MIT", MIT), ("LICENSE-APACHE", APACHE)],
        }
    }
}
