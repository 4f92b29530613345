//! The databases under test: new SQLite files, and databases of a PostgreSQL server that the tests start.

use tempfile::TempDir;
use test_support::postgresql;

/// A database for one test.
#[derive(Debug)]
pub(crate) enum Database {
    /// The directory of the file.
    Sqlite(TempDir),
    /// The URL.
    Postgresql(String),
}

/// A new, empty database of each kind.
pub(crate) fn databases() -> Vec<Database> {
    let sqlite = Database::Sqlite(tempfile::tempdir().unwrap());
    // Without PostgreSQL, the tests run with SQLite only.
    let Some(server) = postgresql::server() else { return vec![sqlite] };
    let (name, host, port) = (server.database(), server.socket(), server.port);
    let url = format!("postgresql:///{name}?host={host}&port={port}&user=postgres");
    vec![sqlite, Database::Postgresql(url)]
}
