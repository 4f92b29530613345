//! The operations that a database provides, and their SQL, which SQLite and PostgreSQL share.

use ferroform::Result;
use ferroform::state_store::LockInfo;

use crate::revision::Revision;

/// Creates the tables. SQLite accepts the type names of PostgreSQL.
pub(crate) const CREATE_TABLES: &str = "
    CREATE TABLE IF NOT EXISTS terraform_states (
        id TEXT PRIMARY KEY,
        serial BIGINT NOT NULL,
        lineage TEXT NOT NULL,
        digest BYTEA NOT NULL,
        state BYTEA NOT NULL
    );
    CREATE TABLE IF NOT EXISTS terraform_state_locks (
        state_id TEXT PRIMARY KEY,
        lock_id TEXT NOT NULL,
        info TEXT NOT NULL
    );
";
pub(crate) const READ: &str = "SELECT state FROM terraform_states WHERE id = $1";
pub(crate) const READ_REVISION: &str = "SELECT serial, lineage, digest FROM terraform_states WHERE id = $1";
pub(crate) const WRITE: &str = "
    INSERT INTO terraform_states (id, serial, lineage, digest, state) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE
    SET serial = excluded.serial, lineage = excluded.lineage, digest = excluded.digest, state = excluded.state
";
pub(crate) const LIST: &str = "SELECT id FROM terraform_states ORDER BY id";
pub(crate) const DELETE: &str = "DELETE FROM terraform_states WHERE id = $1";
pub(crate) const LOCK: &str = "
    INSERT INTO terraform_state_locks (state_id, lock_id, info) VALUES ($1, $2, $3)
    ON CONFLICT (state_id) DO NOTHING
";
pub(crate) const HOLDER: &str = "SELECT info FROM terraform_state_locks WHERE state_id = $1";
pub(crate) const UNLOCK: &str = "DELETE FROM terraform_state_locks WHERE state_id = $1 AND lock_id = $2";

/// A database. Each operation uses a connection of its own, so that a lost connection affects one operation only.
pub(crate) trait Database: Send + Sync {
    /// Creates the tables, unless they exist.
    fn create_tables(&self) -> Result<()>;
    /// Reads a state; `None` if there is none.
    fn read(&self, state_id: &str) -> Result<Option<Vec<u8>>>;
    /// Stores a state if the check accepts the revision that is stored. The check and the write are one transaction, which
    /// no other write interrupts.
    fn write(
        &self,
        state_id: &str,
        revision: &Revision,
        state: &[u8],
        check: &dyn Fn(Option<&Revision>) -> Result<()>,
    ) -> Result<()>;
    /// The IDs of all states.
    fn states(&self) -> Result<Vec<String>>;
    /// Deletes a state, if it exists and the check accepts the revision that is stored.
    fn delete(&self, state_id: &str, check: &dyn Fn(Option<&Revision>) -> Result<()>) -> Result<()>;
    /// Stores a lock. Returns false if the state has a lock already.
    fn lock(&self, state_id: &str, lock_id: &str, info: &str) -> Result<bool>;
    /// The lock of a state; `None` if it is not locked.
    fn holder(&self, state_id: &str) -> Result<Option<LockInfo>>;
    /// Removes a lock. Returns false if the state does not have this lock.
    fn unlock(&self, state_id: &str, lock_id: &str) -> Result<bool>;
}
