//! The `provider` block.

use std::time::Duration;

use ferroform::defaults::env;
use ferroform::validators::at_least;
use ferroform::{Config, Known, Maybe, Model, Provider, Registry, RequestCx, Result, Unknown};
use tokio_postgres::config::SslMode as Encryption;

use crate::database::{Database, Databases};
use crate::default_privileges::DefaultPrivileges;
use crate::extension::{Extension, Extensions};
use crate::function::{Function, Functions};
use crate::grant::Grant;
use crate::grant_role::{GrantRole, GrantRoles};
use crate::name::Name;
use crate::password::Password;
use crate::pool::Pool;
use crate::publication::{Publication, Publications};
use crate::role::{Role, Roles};
use crate::schema::{Schema, Schemas};
use crate::tls::{self, ClientCert, SslMode};

/// The provider: the connections to a PostgreSQL server.
pub struct Postgresql {
    pub(crate) pool: Pool,
    /// The database to connect to for changing roles, databases and other shared objects. It is the default of the attribute
    /// `database` of resources.
    pub(crate) database: Name,
}

/// The `provider` block.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct ProviderConfig {
    /// The host name of the server, or the directory of its socket.
    #[attr(default_with = env("PGHOST").otherwise("localhost"))]
    host: String,
    /// The port of the server.
    #[attr(default_with = env("PGPORT").otherwise(5432))]
    port: u16,
    /// The database to connect to. Resources without a `database` use this database.
    #[attr(default_with = env("PGDATABASE").otherwise("postgres"))]
    database: Name,
    /// The role to connect as.
    #[attr(default_with = env("PGUSER").otherwise("postgres"))]
    username: String,
    /// The password of the role, or a token that the server accepts as a password.
    #[attr(sensitive, default_with = env("PGPASSWORD"))]
    password: Option<String>,
    /// The TLS mode of connections. Connections through a socket are not encrypted.
    #[attr(default_with = env("PGSSLMODE").otherwise(SslMode::Require))]
    sslmode: SslMode,
    /// The path of a file with the PEM-encoded certificates of the certificate authorities (CAs) to trust. It can contain the server
    /// certificate itself. If neither this argument nor `PGSSLROOTCERT` is set, the provider trusts the CAs of the operating system.
    #[attr(default_with = env("PGSSLROOTCERT"))]
    sslrootcert: Option<String>,
    #[attr(block)]
    clientcert: Option<ClientCert>,
    /// The timeout for establishing a connection, in seconds. `0` means no timeout.
    #[attr(default_with = env("PGCONNECT_TIMEOUT").otherwise(180))]
    connect_timeout: u32,
    /// The maximum number of connections to the server.
    #[attr(default = 20, validate = at_least(1))]
    max_connections: u16,
}

impl Provider for Postgresql {
    const ADDRESS: &'static str = "registry.terraform.io/ferroform/postgresql";
    type Config = ProviderConfig;

    /// Does not connect: the first session does, so a plan that reads nothing needs no server.
    async fn configure(_: &RequestCx, config: Config<ProviderConfig>) -> Result<Maybe<Self>> {
        let Known(provider_config) = ProviderConfig::from_config(config)? else { return Ok(Unknown) };
        let mut config = tokio_postgres::Config::new();
        config.host(&provider_config.host).port(provider_config.port).user(&provider_config.username);
        config.application_name("terraform-provider-postgresql");
        config.connect_timeout(Duration::from_secs(provider_config.connect_timeout.into()));
        if let Some(password) = &provider_config.password {
            config.password(password);
        }
        let is_socket = provider_config.host.starts_with('/');
        let mode = if is_socket { SslMode::Disable } else { provider_config.sslmode };
        config.ssl_mode(match mode {
            SslMode::Disable => Encryption::Disable,
            SslMode::Prefer => Encryption::Prefer,
            SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => Encryption::Require,
        });
        let tls = match mode {
            SslMode::Disable => None,
            mode => Some(tls::config(
                mode,
                provider_config.sslrootcert.as_deref(),
                provider_config.clientcert.as_ref(),
            )?),
        };
        let pool = Pool::new(config, tls, provider_config.max_connections.into());
        Ok(Known(Postgresql { pool, database: provider_config.database }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Database>("postgresql_database")
            .resource::<DefaultPrivileges>("postgresql_default_privileges")
            .resource::<Extension>("postgresql_extension")
            .resource::<Function>("postgresql_function")
            .resource::<Grant>("postgresql_grant")
            .resource::<GrantRole>("postgresql_grant_role")
            .resource::<Publication>("postgresql_publication")
            .resource::<Role>("postgresql_role")
            .resource::<Schema>("postgresql_schema")
            .list_resource::<Databases>("postgresql_database")
            .list_resource::<Extensions>("postgresql_extension")
            .list_resource::<Functions>("postgresql_function")
            .list_resource::<GrantRoles>("postgresql_grant_role")
            .list_resource::<Publications>("postgresql_publication")
            .list_resource::<Roles>("postgresql_role")
            .list_resource::<Schemas>("postgresql_schema")
            .ephemeral_resource::<Password>("postgresql_password");
    }
}
