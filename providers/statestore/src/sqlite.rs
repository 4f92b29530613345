//! SQLite: a file, which several processes can use at the same time.

use std::fs::OpenOptions;
use std::path::PathBuf;
use std::time::Duration;

use ferroform::state_store::LockInfo;
use ferroform::{Context as _, Result};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::database::{self, Database};
use crate::revision::Revision;

/// How long an operation waits for the transaction of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(15);

const FAILED: &str = "SQLite Error";

/// A SQLite database.
pub(crate) struct Sqlite {
    path: PathBuf,
}

impl Sqlite {
    pub(crate) fn new(path: impl Into<PathBuf>) -> Sqlite {
        Sqlite { path: path.into() }
    }

    fn connect(&self) -> Result<Connection> {
        let path = self.path.display();
        // Without the flag for URIs, a path such as `file:x.sqlite` is the name of a file.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(&self.path, flags).context(format!("Cannot Open {path}"))?;
        connection.busy_timeout(BUSY_TIMEOUT).context(FAILED)?;
        // A state that was written survives a power failure.
        connection.pragma_update(None, "synchronous", "FULL").context(FAILED)?;
        Ok(connection)
    }

    /// Creates the file, unless it exists. Only its owner can read it, because states contain secrets. SQLite creates its
    /// other files with the same permissions.
    fn create_file(&self) -> Result<()> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let path = self.path.display();
        options.open(&self.path).context(format!("Cannot Create {path}"))?;
        // A file that exists can have other permissions.
        #[cfg(unix)]
        std::fs::set_permissions(&self.path, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .context(format!("Cannot Change the Permissions of {path}"))?;
        Ok(())
    }
}

/// The revision of the stored state; `None` if there is none.
fn stored_revision(transaction: &Transaction<'_>, state_id: &str) -> Result<Option<Revision>> {
    let revision = transaction.query_row(database::READ_REVISION, [state_id], |row| {
        Ok(Revision { serial: row.get(0)?, lineage: row.get(1)?, digest: row.get(2)? })
    });
    revision.optional().context(FAILED)
}

impl Database for Sqlite {
    fn create_tables(&self) -> Result<()> {
        self.create_file()?;
        let mut connection = self.connect()?;
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).context(FAILED)?;
        transaction.execute_batch(database::CREATE_TABLES).context(FAILED)?;
        transaction.commit().context(FAILED)
    }

    fn read(&self, state_id: &str) -> Result<Option<Vec<u8>>> {
        let connection = self.connect()?;
        connection.query_row(database::READ, [state_id], |row| row.get(0)).optional().context(FAILED)
    }

    fn write(
        &self,
        state_id: &str,
        revision: &Revision,
        state: &[u8],
        check: &dyn Fn(Option<&Revision>) -> Result<()>,
    ) -> Result<()> {
        let mut connection = self.connect()?;
        // An immediate transaction excludes all other writes from its beginning.
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).context(FAILED)?;
        check(stored_revision(&transaction, state_id)?.as_ref())?;
        let Revision { serial, lineage, digest } = revision;
        transaction
            .execute(database::WRITE, params![state_id, serial, lineage, digest, state])
            .context(FAILED)?;
        transaction.commit().context(FAILED)
    }

    fn states(&self) -> Result<Vec<String>> {
        let connection = self.connect()?;
        let mut statement = connection.prepare(database::LIST).context(FAILED)?;
        let rows = statement.query_map([], |row| row.get(0)).context(FAILED)?;
        rows.collect::<rusqlite::Result<_>>().context(FAILED)
    }

    fn delete(&self, state_id: &str, check: &dyn Fn(Option<&Revision>) -> Result<()>) -> Result<()> {
        let mut connection = self.connect()?;
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).context(FAILED)?;
        check(stored_revision(&transaction, state_id)?.as_ref())?;
        transaction.execute(database::DELETE, [state_id]).context(FAILED)?;
        transaction.commit().context(FAILED)
    }

    fn lock(&self, state_id: &str, lock_id: &str, info: &str) -> Result<bool> {
        let inserted = self.connect()?.execute(database::LOCK, [state_id, lock_id, info]).context(FAILED)?;
        Ok(inserted > 0)
    }

    fn holder(&self, state_id: &str) -> Result<Option<LockInfo>> {
        let connection = self.connect()?;
        let info: Option<String> = connection
            .query_row(database::HOLDER, [state_id], |row| row.get(0))
            .optional()
            .context(FAILED)?;
        info.map(|it| LockInfo::from_json(it.as_bytes())).transpose()
    }

    fn unlock(&self, state_id: &str, lock_id: &str) -> Result<bool> {
        let removed = self.connect()?.execute(database::UNLOCK, [state_id, lock_id]).context(FAILED)?;
        Ok(removed > 0)
    }
}
