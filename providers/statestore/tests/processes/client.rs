//! A provider process with a client, in the role of Terraform.

use ferroform::value::{Object, Type, Value, msgpack};
use ferroform_proto::tfplugin6::{DynamicValue, configure_provider};
use plugin_client::{Plugin, Setup, StateStore};

use crate::database::Database;

/// A provider process with a configured state store.
pub(crate) struct Client {
    pub(crate) store: StateStore,
    plugin: Plugin,
}

impl Client {
    /// Starts a process and configures the state store, with chunks of 1 MiB.
    pub(crate) async fn start(database: &Database) -> Client {
        std::fs::create_dir_all(plugin_client::sockets()).unwrap();
        let program = env!("CARGO_BIN_EXE_terraform-provider-statestore");
        let setup = Setup::of(program).started_by_terraform().env("USER", "tester");
        let (plugin, handshake) = setup.start_and_handshake().await;
        let channel = handshake.connect_without_tls().await;
        let config = Some(encode(&Value::Object(Object::default()), &Type::object::<&str>([])));
        let request = configure_provider::Request { config, ..Default::default() };
        let response = channel.provider().configure_provider(request).await.unwrap().into_inner();
        assert!(response.diagnostics.is_empty(), "{response:?}");
        let ty = Type::object([("path", Type::String), ("url", Type::String)]);
        let (path, url) = match database {
            Database::Sqlite(directory) => {
                (Value::string(directory.path().join("states.sqlite").display().to_string()), Value::Null)
            }
            Database::Postgresql(url) => (Value::Null, Value::string(url)),
        };
        let config = Value::Object([("path".into(), path), ("url".into(), url)].into_iter().collect());
        let store = StateStore::configure(&channel, "statestore_database", encode(&config, &ty), 1 << 20);
        Client { store: store.await.unwrap(), plugin }
    }

    /// Reads the serial and the content of the state `default`.
    pub(crate) async fn read(&self) -> (u64, String) {
        let state = self.store.read("default").await.unwrap();
        let document: serde_json::Value = serde_json::from_slice(&state).unwrap();
        (document["serial"].as_u64().unwrap(), document["content"].as_str().unwrap().to_owned())
    }

    /// Kills the process with SIGKILL.
    pub(crate) async fn kill(mut self) {
        self.plugin.kill().await;
        assert!(!self.plugin.wait().await.success());
    }
}

fn encode(value: &Value, ty: &Type) -> DynamicValue {
    DynamicValue { msgpack: msgpack::encode(value, ty).unwrap().into(), ..Default::default() }
}
