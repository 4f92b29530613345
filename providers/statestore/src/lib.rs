//! A provider with the state store `statestore_database`, which keeps states in SQLite or PostgreSQL.
//!
//! | module | contents |
//! |---|---|
//! | `provider` | the provider |
//! | `store` | the state store: its configuration, and the checks of writes and locks |
//! | `revision` | what a client has read, and whether it may write |
//! | `database` | the operations that a database provides, and their SQL |
//! | `sqlite`, `postgresql` | the two databases |

mod database;
mod postgresql;
mod provider;
mod revision;
mod sqlite;
mod store;

#[cfg(test)]
mod tests;

pub use crate::provider::Provider;
