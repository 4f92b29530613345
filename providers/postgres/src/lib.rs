//! A provider for PostgreSQL: databases, roles, privileges, schemas, extensions, publications and functions.
//!
//! | module | contents |
//! |---|---|
//! | `provider`, `tls` | the `provider` block, and the encryption of connections |
//! | `pool` | connections, transactions and their lock |
//! | `sql`, `name` | SQL text, in which names and strings are quoted |
//! | `privilege` | privileges, which `grant` and `default_privileges` share |
//! | `role_settings` | the settings of a role, such as `search_path` |
//! | other modules | one resource, list resource or ephemeral resource each |

mod database;
mod default_privileges;
mod extension;
mod function;
mod grant;
mod grant_role;
mod name;
mod password;
mod pool;
mod privilege;
mod provider;
mod publication;
mod role;
mod role_settings;
mod schema;
mod sql;
mod tls;

#[cfg(all(test, unix))]
mod grant_tests;
#[cfg(all(test, unix))]
mod ownership_tests;
#[cfg(all(test, unix))]
mod tests;

pub use crate::provider::Postgresql;
