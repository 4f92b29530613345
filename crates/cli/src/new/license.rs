//! The licenses of a provider.

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
    /// The values of the option.
    pub(super) const NAMES: [&str; 5] = ["MIT", "Apache-2.0", "MPL-2.0", "MIT OR Apache-2.0", License::NONE];

    /// Returns the license with an SPDX expression; `None` for [`License::NONE`].
    pub(super) fn from_name(name: &str) -> Option<License> {
        [License::Mit, License::Apache2, License::Mpl2, License::MitOrApache2]
            .into_iter()
            .find(|it| it.name() == name)
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
