//! The context that the server passes to services.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use ferroform_engine::concurrency::stop::Stopper;
use tokio::task::JoinSet;
use tokio_util::task::TaskTracker;

use super::executor::Executor;
use super::protocol::Protocol;

/// The parts of the server that a service uses.
#[derive(Clone)]
pub struct ServiceContext {
    /// Cancels running requests.
    pub stopper: Stopper,
    /// The protocol that was negotiated with Terraform.
    pub(crate) protocol: Protocol,
    pub(crate) executor: Executor,
    pub(crate) exit_tasks: ExitTasks,
    /// The provider RPCs that are running, including those whose connection is closed.
    pub(crate) running: TaskTracker,
}

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The tasks that run before the process exits. They start at the same time, while RPCs can still be running; a task that
/// depends on their end waits for [`ServiceContext::running`].
#[derive(Clone, Default)]
pub(crate) struct ExitTasks(Arc<Mutex<Vec<Task>>>);

impl ExitTasks {
    /// Adds a task.
    pub(crate) fn add(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks().push(Box::pin(task));
    }

    /// Runs all tasks.
    pub(crate) async fn run(&self) {
        let tasks = std::mem::take(&mut *self.tasks());
        JoinSet::from_iter(tasks).join_all().await;
    }

    fn tasks(&self) -> std::sync::MutexGuard<'_, Vec<Task>> {
        // Every change is a single push or take.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
