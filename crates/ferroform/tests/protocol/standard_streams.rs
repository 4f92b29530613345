//! The standard streams, signals, and the end of a process whose client has gone.

use std::process::Command;
use std::time::Duration;

use tokio::time::timeout;

use crate::methods::{self, create, done, provider};
use crate::plugin::{Directory, without_tls};

/// What `create` does in these tests; see `methods::Job`.
pub(crate) const PRINT: &str = "print long lines";
pub(crate) const START_A_CHILD: &str = "start a child process";

/// Prints more than the buffer of a pipe holds, in lines that are too long for Terraform.
pub(crate) fn print_long_lines() {
    for _ in 0..10 {
        println!("{}", "#".repeat(200 << 10));
        eprintln!("{}", "@".repeat(200 << 10));
    }
    print!("without an end");
}

/// Starts a process that inherits the standard streams and outlives this process.
#[expect(clippy::zombie_processes, reason = "it outlives its parent")]
pub(crate) fn start_a_child() {
    Command::new("sleep").arg("30").spawn().expect("sleep");
}

pub(crate) async fn output_before_the_handshake_goes_to_the_log() {
    // The provider of `methods` prints a line while it registers its resources.
    let (mut plugin, handshake) = without_tls().env(methods::SERVED, "1").start_and_handshake().await;
    assert_eq!(handshake.version, "1");
    plugin.wait_for_line("registered by println").await;
}

pub(crate) async fn long_lines_neither_block_the_provider_nor_reach_stdout() {
    let (mut plugin, channel) = provider().await;
    // The test does not read stdout, like Terraform after a line that is too long.
    let creating = tokio::spawn(create(channel.clone(), PRINT, None));
    let mut longest = 0;
    let mut characters = [0, 0];
    while characters != [2000 << 10, 2000 << 10] {
        let line = plugin.wait_for_line("").await;
        longest = longest.max(line.len());
        characters[0] += line.matches('#').count();
        characters[1] += line.matches('@').count();
    }
    assert!(longest <= 32 << 10, "{longest}");
    assert_eq!(creating.await.unwrap(), done(PRINT));
    assert!(plugin.end(channel).await.success());
    assert!(plugin.errors().await.contains("without an end"));
    assert_eq!(plugin.stdout.next_line().await.unwrap(), None);
}

#[cfg(unix)]
pub(crate) async fn child_process_does_not_keep_the_streams_open() {
    let (mut plugin, channel) = provider().await;
    assert_eq!(create(channel.clone(), START_A_CHILD, None).await, done(START_A_CHILD));
    assert!(plugin.end(channel).await.success());
    // Returns at the end of the stream.
    timeout(Duration::from_secs(10), plugin.errors()).await.expect("the stream ends");
    assert_eq!(plugin.stdout.next_line().await.unwrap(), None);
}

#[cfg(unix)]
pub(crate) async fn sigterm_cancels_the_methods_and_ends_the_process_after_disconnect() {
    let (mut plugin, channel) = provider().await;
    let creating = tokio::spawn(create(channel.clone(), "wait until canceled", None));
    plugin.wait_for_line("waiting").await;
    plugin.signal("TERM").await;
    assert_eq!(creating.await.unwrap(), done("wait until canceled"));
    // Terraform still makes RPCs before it disconnects.
    assert_eq!(create(channel.clone(), "quick", None).await, done("quick"));
    drop(channel);
    assert!(timeout(Duration::from_secs(10), plugin.wait()).await.expect("it ends").success());
}

pub(crate) async fn process_ends_and_removes_its_socket_when_terraform_is_killed() {
    let directory = Directory::new("killed");
    let setup = without_tls().env(methods::SERVED, "1").env("PLUGIN_UNIX_SOCKET_DIR", directory.path());
    let (mut plugin, handshake) = setup.start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    methods::configure(&channel).await;
    let creating = tokio::spawn(create(channel, "wait until canceled", None));
    plugin.wait_for_line("waiting").await;
    // The kernel closes the connection and the streams when Terraform's process ends.
    creating.abort();
    let ended = timeout(Duration::from_secs(10), plugin.wait_without_streams()).await;
    assert!(ended.expect("it ends").success());
    assert!(directory.is_empty());
}

#[cfg(unix)]
pub(crate) async fn server_falls_back_to_tcp_when_socket_cannot_be_opened() {
    use crate::plugin::{Identity, with_tls};

    let long = format!("/tmp/{}", "long/".repeat(30));
    for directory in ["/no/such", "/proc", &long] {
        let identity = Identity::p521(1);
        let (_plugin, handshake) =
            with_tls(&identity).env("PLUGIN_UNIX_SOCKET_DIR", directory).start_and_handshake().await;
        assert_eq!(handshake.network, "tcp", "{directory}");
        // Without TLS, every user of the machine could connect to a TCP port. Terraform shows the line on stdout.
        let (code, stdout, _) = without_tls().env("PLUGIN_UNIX_SOCKET_DIR", directory).output().await;
        assert_eq!(code, Some(1));
        assert!(stdout.starts_with(&format!("cannot listen on the socket {directory}")), "{stdout}");
    }
}
