//! The state store `statestore_database`.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ferroform::state_store::LockInfo;
use ferroform::{
    Args, Config, Context as _, Diagnostic, Known as KnownValue, Model, RequestCx, Result, StateStore,
    StoreCx, path,
};

use crate::Provider;
use crate::database::Database;
use crate::postgresql::Postgresql;
use crate::revision::{Known, Revision, check_delete, check_write, digest_of};
use crate::sqlite::Sqlite;

/// The file of the SQLite database by default, in the working directory.
const DEFAULT_PATH: &str = "terraform-states.sqlite";

/// Keeps states in a SQLite database (the default) or a PostgreSQL database.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct DatabaseConfig {
    /// The path of the SQLite database, which is created if it does not exist. By default, it is
    /// `terraform-states.sqlite` in the working directory.
    #[attr(conflicts_with(url), validate = is_file)]
    path: Option<String>,
    /// The URL of the PostgreSQL database, such as `postgresql://user:password@localhost/states`. If `path` is not set,
    /// the environment variable `PG_CONN_STR` sets the default.
    #[attr(sensitive, default_with = ferroform::defaults::env("PG_CONN_STR"))]
    url: Option<String>,
}

/// SQLite keeps a database with this name in memory, where a state would be lost.
fn is_file(path: &str) -> Result<(), &'static str> {
    match path {
        "" | ":memory:" => Err("the path of a file is required"),
        _ => Ok(()),
    }
}

/// A configured state store.
pub(crate) struct DatabaseStore {
    database: Box<dyn Database>,
    /// What this process knows about each state.
    known: Mutex<HashMap<String, Known>>,
}

impl DatabaseStore {
    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        // Every change is a single insertion.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StateStore for DatabaseStore {
    type Provider = Provider;
    type Config = DatabaseConfig;

    async fn validate(_: &RequestCx, config: Config<DatabaseConfig>) -> Result<()> {
        match (config.path, config.url) {
            (KnownValue(None), KnownValue(Some(url))) => {
                Postgresql::new(&url).map(drop).map_err(|it| it.at(path!(url)))
            }
            _ => Ok(()),
        }
    }

    async fn configure(_: &StoreCx<Self>, args: Args<DatabaseConfig>) -> Result<Self> {
        let database: Box<dyn Database> = match (args.path, args.url) {
            (None, Some(url)) => Box::new(Postgresql::new(&url).map_err(|it| it.at(path!(url)))?),
            (path, _) => Box::new(Sqlite::new(path.unwrap_or_else(|| DEFAULT_PATH.to_owned()))),
        };
        database.create_tables()?;
        Ok(DatabaseStore { database, known: Mutex::default() })
    }

    async fn read(&self, _: &StoreCx<Self>, state_id: &str) -> Result<Option<Vec<u8>>> {
        let state = self.database.read(state_id)?;
        let known = state.as_deref().map_or(Known::Absent, |it| Known::Digest(digest_of(it)));
        self.known().insert(state_id.to_owned(), known);
        Ok(state)
    }

    async fn write(&self, _: &StoreCx<Self>, state_id: &str, state: Vec<u8>) -> Result<()> {
        let new = Revision::of(&state)?;
        let known = self.known().get(state_id).cloned().unwrap_or(Known::Nothing);
        let check = |stored: Option<&Revision>| check_write(state_id, &known, stored, &new);
        self.database.write(state_id, &new, &state, &check)?;
        self.known().insert(state_id.to_owned(), Known::Digest(new.digest));
        Ok(())
    }

    async fn lock(&self, _: &StoreCx<Self>, state_id: &str, operation: &str) -> Result<Option<String>> {
        let lock = LockInfo::new(operation);
        let info = String::from_utf8(lock.to_json()?).context("Cannot Encode Lock")?;
        if self.database.lock(state_id, &lock.id, &info)? {
            return Ok(Some(lock.id));
        }
        Err(match self.database.holder(state_id)? {
            Some(holder) => holder.already_locked(state_id).into(),
            // The holder has released the lock in the meantime.
            None => Diagnostic::error("Workspace Already Locked")
                .detail(format!(
                    "Another client has just released the lock of the workspace {state_id:?}. Try again."
                ))
                .into(),
        })
    }

    async fn unlock(&self, _: &StoreCx<Self>, state_id: &str, lock_id: &str) -> Result<()> {
        if self.database.unlock(state_id, lock_id)? {
            return Ok(());
        }
        match self.database.holder(state_id)? {
            Some(holder) => Err(holder.already_locked(state_id).into()),
            None => {
                let detail = format!("The workspace {state_id:?} has no lock with the ID {lock_id}.");
                Err(Diagnostic::error("Workspace Not Locked").detail(detail).into())
            }
        }
    }

    async fn states(&self, _: &StoreCx<Self>) -> Result<Vec<String>> {
        self.database.states()
    }

    async fn delete(&self, _: &StoreCx<Self>, state_id: &str) -> Result<()> {
        let known = self.known().get(state_id).cloned().unwrap_or(Known::Nothing);
        self.database.delete(state_id, &|stored| check_delete(state_id, &known, stored))?;
        self.known().insert(state_id.to_owned(), Known::Absent);
        Ok(())
    }
}
