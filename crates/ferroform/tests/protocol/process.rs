//! The lifecycle of the plugin process: start, handshake, shutdown.

use std::net::TcpListener;

use ferroform_proto::tfplugin6::{apply_resource_change, get_provider_schema};

use crate::plugin::{Directory, Handshake, Identity, with_tls, without_terraform, without_tls};
use crate::provider;

/// The network of a provider without other settings.
const NETWORK: &str = if cfg!(unix) { "unix" } else { "tcp" };

pub(crate) async fn binary_started_without_terraform_prints_explanation() {
    for setup in [without_terraform(), without_tls().env("TF_PLUGIN_MAGIC_COOKIE", "something else")] {
        let (code, stdout, stderr) = setup.output().await;
        assert_eq!((code, stdout.as_str()), (Some(1), ""));
        let file = if cfg!(windows) { r"%APPDATA%\terraform.rc" } else { "~/.terraformrc" };
        let directory = std::env::current_exe().unwrap().parent().unwrap().display().to_string();
        let entry = format!("\"acme/big-cloud\" = {directory:?}");
        for part in [provider::ADDRESS, "dev_overrides", &entry, file, "--debug"] {
            assert!(stderr.contains(part), "{part:?} is not in:\n{stderr}");
        }
    }
}

pub(crate) async fn handshake_line_is_printed() {
    let directory = Directory::new("handshake");
    let setup = without_tls().env("PLUGIN_UNIX_SOCKET_DIR", directory.path());
    let (_plugin, handshake) = setup.start_and_handshake().await;
    let expected = Handshake {
        version: "1".into(),
        protocol: "6".into(),
        network: NETWORK.into(),
        address: handshake.address.clone(),
        rpc: "grpc".into(),
        certificate: String::new(),
        rest: Vec::new(),
    };
    assert_eq!(handshake, expected);
    let prefix =
        if cfg!(unix) { directory.path().join("plugin").display().to_string() } else { "127.0.0.1:".into() };
    assert!(handshake.address.starts_with(&prefix), "{}", handshake.address);

    let identity = Identity::p521(1);
    let setup = with_tls(&identity).env("PLUGIN_UNIX_SOCKET_DIR", directory.path());
    let (_plugin, handshake) = setup.env("PLUGIN_MULTIPLEX_GRPC", "true").start_and_handshake().await;
    assert!(
        handshake.certificate.len() > 50 && !handshake.certificate.ends_with('='),
        "{}",
        handshake.certificate
    );
    assert_eq!(handshake.rest, ["false"]);
}

pub(crate) async fn newest_common_protocol_is_negotiated() {
    for (serves, offered, chosen) in
        [("5,6", "5,6", "6"), ("5,6", "5", "5"), ("6", "5", "6"), ("5,6", "7", "5"), ("5", "6,5", "5")]
    {
        let setup = without_tls().env(provider::PROTOCOLS, serves).env("PLUGIN_PROTOCOL_VERSIONS", offered);
        let (_plugin, handshake) = setup.env(provider::TCP, "1").start_and_handshake().await;
        assert_eq!(handshake.protocol, chosen, "of {serves} for {offered}");
    }
    let setup = without_tls().env("PLUGIN_PROTOCOL_VERSIONS", "5,six").env(provider::TCP, "1");
    let (mut plugin, handshake) = setup.start_and_handshake().await;
    assert_eq!(handshake.protocol, "5");
    plugin.wait_for_line("\"six\"").await;
}

#[cfg(unix)]
pub(crate) async fn sockets() {
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};

    let directory = Directory::new("sockets");
    let group = directory.path().metadata().unwrap().gid();
    let setup = without_tls().env("PLUGIN_UNIX_SOCKET_DIR", directory.path());
    let (mut plugin, handshake) =
        setup.env("PLUGIN_UNIX_SOCKET_GROUP", group.to_string()).start_and_handshake().await;
    let socket = std::fs::metadata(&handshake.address).unwrap();
    assert!(socket.file_type().is_socket());
    assert_eq!((socket.gid(), socket.permissions().mode() & 0o777), (group, 0o660));
    let channel = handshake.connect_without_tls().await;
    assert!(plugin.end(channel).await.success());

    let setup = without_tls().env("PLUGIN_UNIX_SOCKET_DIR", directory.path());
    let (mut plugin, handshake) = setup.start_and_handshake().await;
    let socket = std::fs::metadata(&handshake.address).unwrap();
    assert_eq!(socket.permissions().mode() & 0o777, 0o600);
    let channel = handshake.connect_without_tls().await;
    assert!(plugin.end(channel).await.success());

    let setup = without_tls().env("PLUGIN_UNIX_SOCKET_DIR", directory.path());
    let (code, stdout, stderr) = setup.env("PLUGIN_UNIX_SOCKET_GROUP", "no such group").output().await;
    assert_eq!(code, Some(1));
    // Terraform shows the line on stdout.
    assert!(stdout.contains("no such group") && stderr.contains("no such group"), "{stdout}{stderr}");
    assert!(directory.is_empty());

    let (code, _, stderr) = without_tls().env("PLUGIN_UNIX_SOCKET_DIR", "/no/such").output().await;
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with("cannot listen on the socket /no/such/plugin"), "{stderr}");
}

pub(crate) async fn port_range_is_respected() {
    let occupied = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = occupied.local_addr().unwrap().port();
    let (from, to) = (port.min(65_500), port.min(65_500) + 35);
    let setup = |from: u16, to: u16| {
        let setup = without_tls().env(provider::TCP, "1");
        setup.env("PLUGIN_MIN_PORT", from.to_string()).env("PLUGIN_MAX_PORT", to.to_string())
    };
    let (mut plugin, handshake) = setup(from, to).start_and_handshake().await;
    assert_eq!(handshake.network, "tcp");
    let got: u16 = handshake.address.strip_prefix("127.0.0.1:").unwrap().parse().unwrap();
    assert!((from..=to).contains(&got) && got != port, "{got}");
    let channel = handshake.connect_without_tls().await;
    assert!(plugin.end(channel).await.success());

    let (code, _, stderr) = setup(port, port).output().await;
    assert_eq!(code, Some(1));
    assert!(stderr.contains("free port"), "{stderr}");
    let (_, _, stderr) = setup(2, 1).output().await;
    assert!(stderr.contains("is less than"), "{stderr}");
}

pub(crate) async fn invalid_client_certificate_is_reported() {
    let directory = Directory::new("broken");
    let setup = without_tls().env("PLUGIN_CLIENT_CERT", "nonsense");
    let (code, stdout, stderr) = setup.env("PLUGIN_UNIX_SOCKET_DIR", directory.path()).output().await;
    let message = "PLUGIN_CLIENT_CERT contains no PEM certificate\n";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(1), message, message));
    assert!(directory.is_empty());
}

#[cfg(unix)]
pub(crate) async fn interrupts_are_ignored() {
    let (mut plugin, handshake) = without_tls().env("TF_LOG", "trace").start_and_handshake().await;
    for count in 1..=2 {
        plugin.signal("INT").await;
        let line = plugin.wait_for_line("ignored an interrupt").await;
        assert!(line.contains(&format!("\"count\":{count}")), "{line}");
    }
    let channel = handshake.connect_without_tls().await;
    channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap();
    // While Terraform is connected, the process ends only at the second signal.
    plugin.signal("TERM").await;
    plugin.wait_for_line("exiting once Terraform has disconnected").await;
    plugin.signal("TERM").await;
    assert!(plugin.wait().await.success());
}

pub(crate) async fn controller_shutdown_ends_the_process() {
    let directory = Directory::new("shutdown");
    let identity = Identity::p521(1);
    let setup = with_tls(&identity).env("PLUGIN_UNIX_SOCKET_DIR", directory.path());
    let (mut plugin, handshake) = setup.start_and_handshake().await;
    let channel = handshake.connect(&identity).await;
    assert_eq!(directory.is_empty(), cfg!(windows), "there are sockets on Unix only");
    assert_eq!(plugin.end(channel).await.code(), Some(0));
    assert!(directory.is_empty());
    assert_eq!(plugin.stdout.next_line().await.unwrap(), None, "stdout holds the handshake only");
}

pub(crate) async fn shutdown_ends_the_process_despite_a_blocked_call() {
    let directory = Directory::new("stuck");
    let (mut plugin, handshake) =
        without_tls().env("PLUGIN_UNIX_SOCKET_DIR", directory.path()).start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut provider = channel.provider();
    let call = tokio::spawn(async move {
        provider.apply_resource_change(apply_resource_change::Request::default()).await
    });
    plugin.wait_for_line("applying").await;
    assert_eq!(plugin.end(channel).await.code(), Some(0));
    assert!(directory.is_empty());
    call.await.unwrap().unwrap_err();
}

pub(crate) async fn debug_mode_prints_reattach_configuration() {
    let directory = Directory::new("debug");
    let file = directory.path().join("reattach.env");
    let arguments = ["--debug", "--debug-env-file", file.to_str().unwrap()];
    let setup = without_terraform().env("PLUGIN_UNIX_SOCKET_DIR", directory.path()).arguments(&arguments);
    let mut plugin = setup.start();
    let value = loop {
        let line = plugin.stdout.next_line().await.unwrap().unwrap();
        if let Some(value) = line.trim().strip_prefix("export TF_REATTACH_PROVIDERS='") {
            break value.strip_suffix('\'').unwrap().to_owned();
        }
    };
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(written, format!("TF_REATTACH_PROVIDERS='{value}'\n"));

    let value: serde_json::Value = serde_json::from_str(&value).unwrap();
    let target = &value[provider::ADDRESS];
    assert_eq!(value["registry.opentofu.org/acme/big-cloud"], *target);
    let socket = target["Addr"]["String"].as_str().unwrap();
    let expected = serde_json::json!({
        "Protocol": "grpc",
        "ProtocolVersion": 6,
        "Pid": plugin.id(),
        "Test": true,
        "Addr": { "Network": NETWORK, "String": socket },
    });
    assert_eq!(*target, expected);

    let handshake = Handshake {
        version: String::new(),
        protocol: String::new(),
        network: NETWORK.into(),
        address: socket.into(),
        rpc: String::new(),
        certificate: String::new(),
        rest: Vec::new(),
    };
    // Two clients connect one after the other.
    for _ in 0..2 {
        let channel = handshake.connect_without_tls().await;
        channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap();
    }
    #[cfg(unix)]
    {
        plugin.signal("INT").await;
        assert_eq!(plugin.wait().await.code(), Some(0));
        std::fs::remove_file(&file).unwrap();
        assert!(directory.is_empty());
    }
}
