//! Permission bits in octal.

use ferroform::schema::ValueChange;
use ferroform::value::{Error, Type, Value};
use ferroform::{Attr, Known, Unknown, view::View};

/// Permission bits as three or four characters of an octal number: `"0644"` and `"644"` are equal. One of the
/// characters can be a sign, as in the original: `"+644"`, `"-000"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Permission(pub(crate) u32);

impl Permission {
    /// The permissions of a file that is created with these permissions.
    fn after_umask(self) -> Permission {
        Permission(self.0 & !umask())
    }

    /// The permissions that a file with these permissions was created with: `default` if it can be, else the same ones.
    pub(crate) fn before_umask(self, default: Permission) -> Permission {
        if default.after_umask() == self { default } else { self }
    }
}

/// True if a file with the planned permissions differs from a file with the prior ones.
pub(crate) fn differs_after_umask(permission: &ValueChange<Permission>) -> bool {
    match (permission.prior, permission.plan) {
        (Some(prior), Known(Some(plan))) => prior.after_umask() != plan.after_umask(),
        (_, Known(_)) => false,
        (_, Unknown) => true,
    }
}

/// The bits that the process removes from the permissions of new files.
///
/// A process can read its umask only by setting it, which affects files that other threads create at the same time. So
/// the provider reads it once, before it creates files.
#[cfg(unix)]
pub(crate) fn umask() -> u32 {
    use std::sync::LazyLock;

    use rustix::fs::Mode;
    use rustix::process;

    static UMASK: LazyLock<u32> = LazyLock::new(|| {
        let umask = process::umask(Mode::RWXG | Mode::RWXO);
        process::umask(umask);
        umask.as_raw_mode() as u32
    });
    *UMASK
}

/// On systems other than Unix, files have no permission bits.
#[cfg(not(unix))]
pub(crate) fn umask() -> u32 {
    0
}

impl Attr for Permission {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let text = String::from_value(value)?;
        let number = i64::from_str_radix(&text, 8).ok().filter(|_| matches!(text.len(), 3 | 4));
        let bits = number.and_then(|it| u32::try_from(it).ok()).filter(|it| *it <= 0o777);
        bits.map(Permission).ok_or_else(|| {
            // The tests of the original search for "bad mode permission".
            let expected = "three or four octal digits such as \"0644\"";
            Error::new(format!("{text:?} is a bad mode permission: it must have {expected}"))
        })
    }

    fn to_value(&self) -> Value {
        format!("{:04o}", self.0).into()
    }
}
