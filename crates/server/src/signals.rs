//! Interrupts and termination requests.
//!
//! | | Unix | Windows |
//! |---|---|---|
//! | [`Interrupts`] | `SIGINT` | Ctrl-C and Ctrl-Break |
//! | [`Terminations`] | `SIGTERM` | the console is closed, the user logs off, or the system shuts down |

use ferroform_engine::concurrency::stop::Stopper;
use tokio_util::sync::CancellationToken;

use self::platform::{Interrupts, Terminations};
use super::error::Error;

/// Ignores interrupts: a terminal sends them to Terraform and to its plugins, and Terraform decides what to stop.
pub(super) fn ignore_interrupts() -> Result<(), Error> {
    let mut interrupts = interrupts()?;
    tokio::spawn(async move {
        let mut count = 0_u32;
        while interrupts.recv().await.is_some() {
            count += 1;
            tracing::debug!(target: "sdk", count, "ignored an interrupt");
        }
    });
    Ok(())
}

/// Shuts down the server at the first interrupt.
pub(super) fn stop_when_interrupted(shutdown: CancellationToken) -> Result<(), Error> {
    let mut interrupts = interrupts()?;
    tokio::spawn(async move {
        interrupts.recv().await;
        shutdown.cancel();
    });
    Ok(())
}

/// A termination cancels the running methods, as `StopProvider` does. The process ends once Terraform has disconnected,
/// because Terraform needs the responses to write its state. A second termination has the effect of Terraform's Shutdown
/// request.
pub(super) fn stop_when_terminated(
    stopper: Stopper,
    terminated: CancellationToken,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let mut terminations = Terminations::listen()
        .map_err(Error::context("cannot register the handler for termination signals"))?;
    tokio::spawn(async move {
        terminations.recv().await;
        tracing::info!(target: "sdk", "received a termination signal; exiting once Terraform has disconnected");
        stopper.stop();
        terminated.cancel();
        terminations.recv().await;
        shutdown.cancel();
    });
    Ok(())
}

fn interrupts() -> Result<Interrupts, Error> {
    Interrupts::listen().map_err(Error::context("cannot register the handler for interrupts"))
}

#[cfg(unix)]
mod platform {
    use std::io;

    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub(super) struct Interrupts(Signal);

    impl Interrupts {
        pub(super) fn listen() -> io::Result<Interrupts> {
            signal(SignalKind::interrupt()).map(Interrupts)
        }

        pub(super) async fn recv(&mut self) -> Option<()> {
            self.0.recv().await
        }
    }

    pub(super) struct Terminations(Signal);

    impl Terminations {
        pub(super) fn listen() -> io::Result<Terminations> {
            signal(SignalKind::terminate()).map(Terminations)
        }

        pub(super) async fn recv(&mut self) -> Option<()> {
            self.0.recv().await
        }
    }
}

#[cfg(windows)]
mod platform {
    use std::io;

    use tokio::signal::windows::{
        CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_logoff,
        ctrl_shutdown,
    };

    pub(super) struct Interrupts(CtrlC, CtrlBreak);

    impl Interrupts {
        pub(super) fn listen() -> io::Result<Interrupts> {
            Ok(Interrupts(ctrl_c()?, ctrl_break()?))
        }

        pub(super) async fn recv(&mut self) -> Option<()> {
            tokio::select! {
                it = self.0.recv() => it,
                it = self.1.recv() => it,
            }
        }
    }

    /// Windows kills the process some seconds after it has sent one of these events.
    pub(super) struct Terminations(CtrlClose, CtrlLogoff, CtrlShutdown);

    impl Terminations {
        pub(super) fn listen() -> io::Result<Terminations> {
            Ok(Terminations(ctrl_close()?, ctrl_logoff()?, ctrl_shutdown()?))
        }

        pub(super) async fn recv(&mut self) -> Option<()> {
            tokio::select! {
                it = self.0.recv() => it,
                it = self.1.recv() => it,
                it = self.2.recv() => it,
            }
        }
    }
}
