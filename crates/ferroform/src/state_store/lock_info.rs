//! Locks with their holders.

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use ferroform_value::{Object, Type, Value, json};

use crate::{Context as _, Diagnostic, Result};

/// A lock of a state with its holder, for state stores that keep locks as documents. The JSON form is that of the Go
/// framework's `statestore.LockInfo`.
///
/// ```
/// use ferroform::state_store::LockInfo;
///
/// let lock = LockInfo::new("OperationTypeApply");
/// let stored = lock.to_json()?;
/// assert_eq!(LockInfo::from_json(&stored)?, lock);
/// let error = lock.already_locked("default");
/// assert_eq!(error.summary, "Workspace Already Locked");
/// assert!(error.detail.contains(&lock.id));
/// # Ok::<(), ferroform::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockInfo {
    /// The ID: a random UUID.
    pub id: String,
    /// Terraform's operation, such as `OperationTypeApply`.
    pub operation: String,
    /// The holder: the name of the user and the name of the host, such as `ada@build-7`; empty if they are not known.
    pub who: String,
    /// The time at which the lock was acquired, in the format of RFC 3339.
    pub created: String,
}

impl LockInfo {
    /// A new lock of this process, for an operation.
    pub fn new(operation: impl Into<String>) -> LockInfo {
        LockInfo {
            id: ferroform_engine::random::uuid(),
            operation: operation.into(),
            who: holder(),
            created: rfc_3339(SystemTime::now()),
        }
    }

    /// The lock as JSON.
    ///
    /// # Errors
    ///
    /// If the lock cannot be encoded, which does not happen.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        let fields = [
            ("id", &self.id),
            ("operation", &self.operation),
            ("who", &self.who),
            ("created", &self.created),
        ];
        let object: Object = fields.into_iter().map(|(name, it)| (name.into(), Value::string(it))).collect();
        json::encode_simple(&Value::Object(object)).context("Cannot Encode Lock")
    }

    /// Reads a lock from JSON.
    ///
    /// # Errors
    ///
    /// If the bytes are not the JSON form of a lock.
    pub fn from_json(bytes: &[u8]) -> Result<LockInfo> {
        let ty = Type::object(["id", "operation", "who", "created"].map(|it| (it, Type::String)));
        // Other programs may add attributes.
        let document = json::decode_state(bytes, &ty, true).context(INVALID)?;
        let string = |name: &str| document.attribute(name).and_then(Value::as_str).map(str::to_owned);
        let missing = |name: &str| Diagnostic::error(INVALID).detail(format!("\"{name}\" is missing."));
        let required = |name: &str| string(name).ok_or_else(|| missing(name));
        Ok(LockInfo {
            id: required("id")?,
            operation: required("operation")?,
            who: string("who").unwrap_or_default(),
            created: required("created")?,
        })
    }

    /// The error for a client that cannot lock or unlock the state, because another client holds this lock.
    pub fn already_locked(&self, state_id: &str) -> Diagnostic {
        let LockInfo { id, operation, who, created } = self;
        let who = if who.is_empty() { "another client" } else { who };
        Diagnostic::error("Workspace Already Locked").detail(format!(
            "The workspace {state_id:?} is locked by {who}, for {operation}, since {created}. The ID of the lock is \
             {id}.\n\nWait until the operation has ended. If its process no longer runs, release the lock with \
             terraform force-unlock {id}."
        ))
    }
}

const INVALID: &str = "Invalid Lock";

/// The name of the user and the name of the host, as far as they are known.
fn holder() -> String {
    let variable = |name: &str| env::var(name).ok().filter(|it| !it.is_empty());
    let user = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(variable);
    let host = host_name();
    match (user, host) {
        (Some(user), Some(host)) => format!("{user}@{host}"),
        (user, host) => user.or(host).unwrap_or_default(),
    }
}

#[cfg(unix)]
fn host_name() -> Option<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    Some(name).filter(|it| !it.is_empty())
}

#[cfg(not(unix))]
fn host_name() -> Option<String> {
    env::var("COMPUTERNAME").ok().filter(|it| !it.is_empty())
}

/// A time in the format of RFC 3339 with seconds, in UTC. A time before the Unix epoch is clamped to the epoch.
fn rfc_3339(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (mut days, second_of_day) = (seconds / 86_400, seconds % 86_400);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= if is_leap(year) { 366 } else { 365 } {
        days -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_have_the_format_of_rfc_3339() {
        let at = |seconds| rfc_3339(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_767_225_599), "2025-12-31T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(rfc_3339(UNIX_EPOCH - Duration::from_secs(1)), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn lock_of_the_go_framework_is_read() {
        let json = br#"{"id":"a1","operation":"apply","created":"2026-01-02T03:04:05.678Z"}"#;
        let lock = LockInfo::from_json(json).unwrap();
        assert_eq!((&*lock.id, &*lock.who, &*lock.created), ("a1", "", "2026-01-02T03:04:05.678Z"));
        assert!(lock.already_locked("default").detail.contains("another client"));
        let error = LockInfo::from_json(br#"{"operation":"apply"}"#).unwrap_err().to_string();
        assert_eq!(error, "Invalid Lock: \"id\" is missing.");
        assert!(LockInfo::from_json(b"no JSON").is_err());
    }

    #[test]
    fn locks_have_different_ids_and_name_their_holder() {
        let (first, second) = (LockInfo::new("apply"), LockInfo::new("apply"));
        assert_ne!(first.id, second.id);
        assert_eq!(first.id.len(), 36);
        assert!(!first.who.is_empty());
    }
}
