//! The address and the protocol versions of a provider binary.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ferroform_proto::tfplugin6::diagnostic::Severity;
use ferroform_proto::tfplugin6::get_provider_schema;
use ferroform_server::Protocol;
use ferroform_server::client::{Plugin, PluginCommand};
use serde_json::{Map, Value};

use super::error::{DistError, DistErrorKind, Result};
use crate::source_address::Address;

/// How long a provider may take to start in debug mode.
const DEBUG_TIMEOUT: Duration = Duration::from_secs(30);
/// The variable that a provider prints in debug mode. Its value is an object whose keys are source addresses.
const VARIABLE: &str = "TF_REATTACH_PROVIDERS='";

/// Returns the protocol versions that a provider serves, by starting it as Terraform does.
pub(crate) fn protocols(binary: &Path) -> Result<BTreeSet<u16>> {
    let failed = |error: String| DistError::new(DistErrorKind::Build, error).at(binary);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| failed(format!("cannot start the provider: {error}")))?;
    runtime.block_on(async {
        let mut served = BTreeSet::new();
        for (protocol, version) in [(Protocol::V5, 5), (Protocol::V6, 6)] {
            let command = PluginCommand::new(binary).protocols([protocol]).on_log(|_| {});
            let plugin = command.start().await.map_err(|error| failed(error.to_string()))?;
            // A provider without the offered version selects another one.
            if plugin.protocol() == protocol && has_schema(&plugin).await {
                served.insert(version);
            }
            let _ = plugin.stop().await;
        }
        if served.is_empty() {
            return Err(failed("the provider returned no schema with protocol 5 or 6".into()));
        }
        Ok(served)
    })
}

/// True if the provider returns its schema without errors. Protocol 5 cannot represent nested attributes, for example.
async fn has_schema(plugin: &Plugin) -> bool {
    let request = get_provider_schema::Request {};
    let response = plugin.client().get_provider_schema(request).await;
    response.is_ok_and(|it| it.into_inner().diagnostics.iter().all(|it| it.severity() != Severity::Error))
}

/// Returns the source address of a provider, which it prints in debug mode.
pub(crate) fn address(binary: &Path) -> Result<Address> {
    let failed = |error: String| DistError::new(DistErrorKind::Build, error).at(binary);
    let mut child = Command::new(binary)
        .arg("--debug")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(format!("cannot start the provider: {error}")))?;
    let (sender, receiver) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        thread::spawn(move || sender.send(read_address(stdout)));
    }
    let address = receiver.recv_timeout(DEBUG_TIMEOUT).ok().flatten();
    let _ = child.kill();
    let _ = child.wait();
    address.ok_or_else(|| {
        failed("the provider did not print TF_REATTACH_PROVIDERS when it was started with --debug; use --address".into())
    })
}

/// Reads the lines of debug mode up to the variable.
fn read_address(stdout: ChildStdout) -> Option<Address> {
    let mut lines = BufReader::new(stdout).lines().map_while(std::io::Result::ok);
    lines.find_map(|line| {
        let (_, value) = line.split_once(VARIABLE)?;
        let providers: Map<String, Value> = serde_json::from_str(value.strip_suffix('\'')?).ok()?;
        providers.keys().next()?.parse().ok()
    })
}
