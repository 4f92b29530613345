//! Revisions of states: what a client has read, and whether it may write.
//!
//! Two clients read serial 5 of a state and change it at the same time. The first one writes serial 6. Without a check, the
//! second one would replace it with its own serial 6, and the changes of the first one would be lost.
//!
//! | the client | may write if |
//! |---|---|
//! | has read or written the state | the stored state is still the same, and has not been deleted |
//! | has not read the state | there is none, or the new state has the same lineage and a higher serial |

use ferroform::{Context as _, Diagnostic, Result};
use ring::digest::{SHA256, digest};
use serde::Deserialize;

/// A revision of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    /// Terraform increments it with each change.
    pub(crate) serial: i64,
    /// The ID of the state, which remains the same for its whole history.
    pub(crate) lineage: String,
    /// The SHA-256 digest of the state.
    pub(crate) digest: Vec<u8>,
}

/// The fields of a state that its revision needs. States that OpenTofu encrypts have them too.
#[derive(Deserialize)]
struct Header {
    serial: i64,
    #[serde(default)]
    lineage: String,
}

impl Revision {
    /// The revision of a state.
    ///
    /// # Errors
    ///
    /// If the state is not the JSON document of a state.
    pub(crate) fn of(state: &[u8]) -> Result<Revision> {
        let Header { serial, lineage } = serde_json::from_slice(state).context("Invalid State")?;
        Ok(Revision { serial, lineage, digest: digest_of(state) })
    }
}

/// The SHA-256 digest of a state.
pub(crate) fn digest_of(state: &[u8]) -> Vec<u8> {
    digest(&SHA256, state).as_ref().to_vec()
}

/// What a client knows about the stored state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// It has neither read nor written the state.
    Nothing,
    /// It has found out that there is no state.
    Absent,
    /// It has read or written the state with this digest.
    Digest(Vec<u8>),
}

impl Known {
    /// True if this is the stored revision, as far as the client knows.
    fn is(&self, stored: Option<&Revision>) -> bool {
        match self {
            Known::Nothing => true,
            Known::Absent => stored.is_none(),
            Known::Digest(digest) => stored.is_some_and(|it| it.digest == *digest),
        }
    }
}

/// Checks that the deletion of a state loses no changes of other clients. A state that another client has deleted can be deleted
/// again.
///
/// # Errors
///
/// If the client does not know the stored revision.
pub(crate) fn check_delete(state_id: &str, known: &Known, stored: Option<&Revision>) -> Result<()> {
    match stored {
        Some(stored) if !known.is(Some(stored)) => {
            let detail = format!(
                "Another client has written serial {} of the state {state_id:?} since this client has read it. The state is \
                 not deleted. Run the operation again.",
                stored.serial
            );
            Err(Diagnostic::error("State Changed by Another Client").detail(detail).into())
        }
        _ => Ok(()),
    }
}

/// Checks that a write loses no changes of other clients.
///
/// # Errors
///
/// If the client does not know the stored revision.
pub(crate) fn check_write(
    state_id: &str,
    known: &Known,
    stored: Option<&Revision>,
    new: &Revision,
) -> Result<()> {
    let is_accepted = match (known, stored) {
        (_, Some(stored)) if stored.digest == new.digest => true,
        (Known::Nothing, Some(stored)) => stored.lineage == new.lineage && stored.serial < new.serial,
        (known, stored) => known.is(stored),
    };
    if is_accepted {
        return Ok(());
    }
    let Some(stored) = stored else {
        let detail = format!(
            "Another client has deleted the state {state_id:?} since this client has read it. Run the operation again, with \
             state locking."
        );
        return Err(Diagnostic::error("State Changed by Another Client").detail(detail).into());
    };
    let detail = format!(
        "Another client has written serial {} of the state {state_id:?} since this client has read it. Serial {} of this \
         client is not stored, so that no changes are lost. Run the operation again, with state locking.",
        stored.serial, new.serial
    );
    Err(Diagnostic::error("State Changed by Another Client").detail(detail).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revision(serial: i64, lineage: &str) -> Revision {
        let state = format!(r#"{{"version":4,"serial":{serial},"lineage":"{lineage}"}}"#);
        Revision::of(state.as_bytes()).unwrap()
    }

    #[test]
    fn write_requires_the_revision_that_the_client_has_read() {
        let (five, six, seven) = (revision(5, "a"), revision(6, "a"), revision(7, "a"));
        let is_accepted = |known: &Known, stored: Option<&Revision>, new: &Revision| {
            check_write("default", known, stored, new).is_ok()
        };
        let knows = |it: &Revision| Known::Digest(it.digest.clone());
        assert!(is_accepted(&Known::Nothing, None, &six));
        assert!(is_accepted(&Known::Absent, None, &six));
        assert!(is_accepted(&knows(&five), Some(&five), &six));
        assert!(is_accepted(&knows(&five), Some(&six), &six), "the write is repeated");
        assert!(!is_accepted(&knows(&five), Some(&six), &seven), "the client has not read serial 6");
        assert!(!is_accepted(&knows(&five), None, &six), "another client has deleted the state");
        assert!(!is_accepted(&Known::Absent, Some(&five), &six));
        assert!(is_accepted(&Known::Nothing, Some(&five), &six));
        assert!(!is_accepted(&Known::Nothing, Some(&six), &five));
        assert!(!is_accepted(&Known::Nothing, Some(&five), &revision(6, "b")));
        // `terraform state push -force` reads the state before.
        assert!(is_accepted(&knows(&six), Some(&six), &revision(1, "b")));
    }

    #[test]
    fn deletion_requires_the_revision_that_the_client_has_read() {
        let (five, six) = (revision(5, "a"), revision(6, "a"));
        let is_accepted =
            |known: &Known, stored: Option<&Revision>| check_delete("default", known, stored).is_ok();
        let knows_five = Known::Digest(five.digest.clone());
        assert!(is_accepted(&knows_five, Some(&five)) && is_accepted(&knows_five, None));
        assert!(is_accepted(&Known::Nothing, Some(&five)) && is_accepted(&Known::Absent, None));
        assert!(!is_accepted(&knows_five, Some(&six)) && !is_accepted(&Known::Absent, Some(&five)));
    }

    #[test]
    fn document_without_serial_is_not_a_state() {
        for document in ["", "text", "{}", r#"{"serial":"1"}"#, "[]"] {
            assert!(Revision::of(document.as_bytes()).is_err(), "{document}");
        }
    }
}
