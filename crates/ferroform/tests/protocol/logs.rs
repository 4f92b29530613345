//! The log lines on the standard error stream.

use std::fs;

use ferroform_proto::tfplugin6::{DynamicValue, configure_provider, read_resource};
use serde_json::Value;

use crate::plugin::{Identity, Setup, sockets, with_tls, without_tls};
use crate::provider::OWN_LOG;

const SECRET: &str = "correct horse battery staple";

/// Makes an RPC that contains a secret, and returns the standard error stream.
async fn log_of(setup: Setup, identity: &Identity) -> String {
    let (mut plugin, handshake) = setup.start_and_handshake().await;
    let channel = handshake.connect(identity).await;
    let state = DynamicValue { msgpack: SECRET.into(), ..Default::default() };
    let request = read_resource::Request {
        type_name: "big_disk".into(),
        current_state: Some(state),
        private: SECRET.into(),
        ..Default::default()
    };
    channel.provider().read_resource(request).await.unwrap();
    assert!(plugin.end(channel).await.success());
    plugin.errors().await
}

pub(crate) async fn logs_are_empty_unless_requested() {
    let identity = Identity::p521(1);
    assert_eq!(log_of(with_tls(&identity), &identity).await, "");
    let setup = with_tls(&identity).env("TF_LOG_CORE", "trace").env("TF_LOG", "");
    assert_eq!(log_of(setup, &identity).await, "");
    let setup = with_tls(&identity).env("TF_LOG", "trace").env("TF_LOG_PROVIDER_BIG_CLOUD", "error");
    assert_eq!(log_of(setup, &identity).await, "");
}

pub(crate) async fn log_lines_have_the_format_of_terraform() {
    let identity = Identity::p521(1);
    let log = log_of(with_tls(&identity).env("TF_LOG", "trace"), &identity).await;
    assert!(!log.contains(SECRET));
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines {
        for key in ["@level", "@message", "@module", "@timestamp"] {
            assert!(line[key].is_string(), "{key} in {line}");
        }
        let time = line["@timestamp"].as_str().unwrap();
        let form: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(form, "0000-00-00T00:00:00.000000Z");
    }
    let reading = lines.iter().find(|line| line["@message"] == "reading").unwrap();
    for (key, value) in [
        ("@level", "info"),
        ("@module", "protocol.provider"),
        ("name", "big_disk"),
        ("tf_rpc", "ReadResource"),
        ("tf_resource_type", "big_disk"),
        ("tf_provider_addr", "registry.terraform.io/acme/big-cloud"),
        ("tf_proto_version", "6.11"),
    ] {
        assert_eq!(reading[key], value, "{key}");
    }
    assert_eq!(reading["tf_req_id"].as_str().unwrap().len(), 36);
    let served = lines.iter().find(|line| line["@message"] == "Served request").unwrap();
    assert_eq!(served["tf_req_id"], reading["tf_req_id"]);
    assert!(served["tf_req_duration_ms"].is_u64());
}

pub(crate) async fn layers_of_the_provider_receive_events() {
    let identity = Identity::p521(1);
    let file = sockets().join("own.log");
    let own_subscriber = || with_tls(&identity).env(OWN_LOG, file.to_str().unwrap());
    // Without a log level in the environment, only the provider's own layer receives the events.
    assert_eq!(log_of(own_subscriber(), &identity).await, "");
    assert_eq!(fs::read_to_string(&file).unwrap(), "reading\n");
    let log = log_of(own_subscriber().env("TF_LOG", "info"), &identity).await;
    assert_eq!(fs::read_to_string(&file).unwrap(), "reading\n");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [line] = &lines[..] else { panic!("one line is expected:\n{log}") };
    assert_eq!(line["@message"], "reading");
    assert_eq!(line["tf_resource_type"], "big_disk");
}

pub(crate) async fn uncaught_panic_is_logged() {
    let (mut plugin, handshake) = without_tls().start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let request = configure_provider::Request { terraform_version: "thread".into(), ..Default::default() };
    channel.provider().configure_provider(request).await.unwrap();
    assert!(plugin.end(channel).await.success(), "the process lives");
    let log = plugin.errors().await;
    assert!(log.starts_with("panic: not caught\n"), "{log}");
    assert!(log.contains("provider.rs:"), "{log}");
}
