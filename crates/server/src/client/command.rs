//! Starting and stopping a plugin.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use ferroform_proto::tfplugin6::provider_client::ProviderClient;
use tokio::io::AsyncRead;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tonic::codegen::http::Uri;

use super::channel::Channel;
use super::error::{PluginError, PluginErrorKind};
use super::guard::{self, Guard};
use super::handshake::Handshake;
use super::lines::Lines;
use super::tls::Identity;
use crate::handshake::{COOKIE, COOKIE_NAME};
use crate::protocol::{MAX_MESSAGE, Protocol};
use crate::protocol_5::ProviderChannel;

/// How long a plugin may take to print the handshake line, as in Terraform.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a plugin may take to end after Shutdown, as in Terraform.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// How long to wait for the output of a plugin that has ended.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(1);

/// Receives each line that the plugin prints to stderr.
type OnLog = Arc<dyn Fn(&str) + Send + Sync>;

/// A provider binary to start as Terraform does: with mutual TLS, and with the environment variables of the handshake.
///
/// ```no_run
/// use ferroform_server::client::PluginCommand;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let plugin = PluginCommand::new("./terraform-provider-local").env("TF_LOG", "debug").start().await?;
/// println!("protocol {:?}", plugin.protocol());
/// plugin.stop().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct PluginCommand {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    protocols: Vec<Protocol>,
    on_log: OnLog,
    ends_with_this_process: bool,
}

impl fmt::Debug for PluginCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginCommand").field("program", &self.program).finish_non_exhaustive()
    }
}

impl PluginCommand {
    /// A program without arguments. It inherits the environment of this process.
    pub fn new(program: impl Into<PathBuf>) -> PluginCommand {
        PluginCommand {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            protocols: vec![Protocol::V5, Protocol::V6],
            on_log: Arc::new(|line| eprintln!("{line}")),
            ends_with_this_process: false,
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> PluginCommand {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> PluginCommand {
        self.environment.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Offers these versions of the protocol, of which the plugin selects one. By default, both are offered.
    pub fn protocols(mut self, protocols: impl IntoIterator<Item = Protocol>) -> PluginCommand {
        self.protocols = protocols.into_iter().collect();
        self
    }

    /// Passes each line that the plugin prints to stderr to the function. By default, the lines are printed to stderr.
    pub fn on_log(mut self, on_log: impl Fn(&str) + Send + Sync + 'static) -> PluginCommand {
        self.on_log = Arc::new(on_log);
        self
    }

    /// Kills the plugin if this process is killed.
    pub(crate) fn ended_with_this_process(mut self) -> PluginCommand {
        self.ends_with_this_process = true;
        self
    }

    /// Returns the path of the program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Starts the plugin and connects to it.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be executed, if it prints no valid handshake line, or if it is not connected
    /// within 60 s. [`PluginError::kind`] is the step that failed.
    pub async fn start(&self) -> Result<Plugin, PluginError> {
        timeout(START_TIMEOUT, self.connect()).await.unwrap_or_else(|_| {
            let message = format!("{} could not be connected within 60 s", self.program.display());
            Err(PluginError::new(PluginErrorKind::Timeout, message))
        })
    }

    async fn connect(&self) -> Result<Plugin, PluginError> {
        let identity = Identity::generate()?;
        let versions: Vec<String> = self.protocols.iter().map(|it| it.number().to_string()).collect();
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env(COOKIE_NAME, COOKIE)
            .env("PLUGIN_PROTOCOL_VERSIONS", versions.join(","))
            .env("PLUGIN_CLIENT_CERT", identity.pem())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let failed = || format!("cannot start {}", self.program.display());
        let mut child = command.spawn().map_err(PluginError::context(PluginErrorKind::Start, failed()))?;
        let guard = match self.ends_with_this_process {
            true => guard::start(&child).unwrap_or_else(|error| {
                tracing::warn!(target: "sdk", %error, "the plugin continues if this process is killed");
                None
            }),
            false => None,
        };
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
            return Err(PluginError::new(PluginErrorKind::Start, failed()));
        };
        let mut log = forward(stderr, self.on_log.clone());
        let mut line = std::pin::pin!(first_line(stdout, self.on_log.clone()));
        let line = tokio::select! {
            line = &mut line => line,
            _ = child.wait() => timeout(OUTPUT_TIMEOUT, line).await.ok().flatten(),
        };
        let Some(line) = line else { return Err(self.exited(&mut child, &mut log).await) };
        let handshake = Handshake::parse(&line)?;
        let protocol = handshake.protocol;
        let channel = Channel::connect(handshake, identity).await?;
        Ok(Plugin { child, guard, channel, protocol })
    }

    /// The error for a program that has ended, with the last lines that it printed.
    async fn exited(&self, child: &mut Child, log: &mut mpsc::Receiver<String>) -> PluginError {
        // A program can close its standard output and continue.
        let status = match timeout(OUTPUT_TIMEOUT, child.wait()).await {
            Ok(status) => status.map_or_else(|error| error.to_string(), |it| it.to_string()),
            Err(_) => {
                let message =
                    format!("{} closed its standard output before the handshake", self.program.display());
                return PluginError::new(PluginErrorKind::Handshake, message);
            }
        };
        let mut lines = Vec::new();
        // A process that the plugin has started can hold the stream open.
        let _ = timeout(OUTPUT_TIMEOUT, async {
            while let Some(line) = log.recv().await {
                lines.push(line);
            }
        })
        .await;
        let output = lines.join("\n");
        let message = format!("{} exited before the handshake ({status}): {output}", self.program.display());
        PluginError::new(PluginErrorKind::Exited, message)
    }
}

/// Reads the first line, and passes the others to the log.
async fn first_line(stdout: ChildStdout, on_log: OnLog) -> Option<String> {
    let mut lines = Lines::new(stdout);
    let first = lines.next().await?;
    tokio::spawn(async move {
        while let Some(line) = lines.next().await {
            on_log(&line);
        }
    });
    Some(first)
}

/// Passes each line to the function. The first lines are also returned, for the error about a program that ends.
fn forward(stream: impl AsyncRead + Unpin + Send + 'static, on_log: OnLog) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(100);
    tokio::spawn(async move {
        let mut lines = Lines::new(stream);
        while let Some(line) = lines.next().await {
            on_log(&line);
            // Further lines are not needed.
            let _ = sender.try_send(line);
        }
    });
    receiver
}

/// A running plugin. It is killed when it is dropped; [`stop`](Plugin::stop) lets it end by itself.
#[derive(Debug)]
pub struct Plugin {
    child: Child,
    guard: Option<Guard>,
    channel: Channel,
    protocol: Protocol,
}

impl Plugin {
    /// Returns the version of the protocol that the plugin has selected.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Returns the process ID; `None` if the process has ended.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Returns the exit status; `None` if the process is running.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system does not return the exit status.
    pub fn try_wait(&mut self) -> std::io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            self.guard = None;
        }
        Ok(status)
    }

    /// Returns the connection, for services other than the provider.
    pub fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Returns a client for all RPCs of the provider, with the names and messages of protocol 6. If the plugin serves
    /// protocol 5, the schemas in responses are those of protocol 5.
    pub fn client(&self) -> ProviderClient<ProviderChannel<Channel>> {
        ProviderClient::with_origin(ProviderChannel::new(self.channel(), self.protocol), origin())
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE)
    }

    /// Requests the shutdown and waits for the end of the process. A process that has not ended after 2 s is killed, as
    /// Terraform does.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system does not return the exit status.
    pub async fn stop(mut self) -> std::io::Result<ExitStatus> {
        // The plugin may end before it responds.
        let shutdown = async {
            let _ = ferroform_proto::shutdown(self.channel(), origin()).await;
            self.child.wait().await
        };
        match timeout(STOP_TIMEOUT, shutdown).await {
            Ok(status) => status,
            Err(_) => {
                self.child.start_kill()?;
                self.child.wait().await
            }
        }
    }
}

/// The server name in requests.
fn origin() -> Uri {
    Uri::from_static("http://localhost")
}
