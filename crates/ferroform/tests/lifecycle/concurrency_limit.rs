//! The concurrency limit of a provider.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ferroform::value::Value;
use ferroform::{
    ApplyCx, Clock, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result,
    Timeouts, path,
};
use ferroform_engine::Kind;
use ferroform_engine::{ApplyRequest, PlanRequest, ProviderServer, RpcMetadata};
use ferroform_server::Stopper;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// The running methods of a test. Each test has its own entry.
#[derive(Default)]
struct Observed {
    running: AtomicUsize,
    most: AtomicUsize,
    started: Mutex<Vec<String>>,
}

/// The running methods of a test, and the semaphore that lets them return.
type Shared = Arc<(Observed, Semaphore)>;

static SEEN: Mutex<Vec<(String, Shared)>> = Mutex::new(Vec::new());

fn observed(test: &str) -> Shared {
    let mut all = SEEN.lock().unwrap();
    if let Some((_, it)) = all.iter().find(|(name, _)| name == test) {
        return it.clone();
    }
    let new = Arc::new((Observed::default(), Semaphore::new(0)));
    all.push((test.to_owned(), new.clone()));
    new
}

struct Test;

impl Provider for Test {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.concurrency_limit(2).resource::<Job>("test_job");
    }
}

/// A job whose methods return when the test permits it.
#[derive(Model, Clone, Debug, PartialEq)]
struct Job {
    test: String,
    name: String,
    #[attr(computed)]
    id: String,
    #[attr(timeouts(create = "10m"))]
    timeouts: Option<Timeouts>,
}

impl Resource for Job {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<JobComputed> {
        let remaining = cx.remaining().unwrap_or_default();
        assert!(
            remaining > Duration::from_secs(599),
            "waiting for the concurrency limit does not reduce the timeout"
        );
        let (observed, permits) = &*observed(&plan.test);
        let running = observed.running.fetch_add(1, Ordering::SeqCst) + 1;
        observed.most.fetch_max(running, Ordering::SeqCst);
        observed.started.lock().unwrap().push(plan.name.clone());
        if plan.name.starts_with("sleeps") {
            cx.sleep(Duration::from_secs(60)).await?;
        } else if plan.name == "blocks" {
            cx.checkpoint_at(path!(id), &plan.name);
            // Ignores cancellation, as a synchronous client does.
            while permits.try_acquire().map(|it| it.forget()).is_err() {
                std::thread::sleep(Duration::from_millis(5));
            }
        } else {
            permits.acquire().await.unwrap().forget();
        }
        cx.clock().sleep(Duration::from_secs(60)).await;
        observed.running.fetch_sub(1, Ordering::SeqCst);
        Ok(JobComputed { id: plan.name })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

struct TestBench {
    test: &'static str,
    server: Arc<ProviderServer>,
    stopper: Stopper,
    observed: Shared,
}

impl TestBench {
    async fn new(test: &'static str) -> TestBench {
        TestBench::with(test, Clock::test()).await
    }

    async fn real(test: &'static str) -> TestBench {
        TestBench::with(test, Clock::default()).await
    }

    async fn with(test: &'static str, clock: Clock) -> TestBench {
        let stopper = Stopper::new();
        let server = ferroform::server::<Test>().with_clock(clock).with_stopper(stopper.clone());
        assert!(server.configure_provider(Value::Null, &RpcMetadata::default()).await.is_empty());
        TestBench { test, server: Arc::new(server), stopper, observed: observed(test) }
    }

    /// Starts to create a job. The task returns the error messages.
    fn create(&self, name: &str) -> JoinHandle<String> {
        let object = |id| {
            Value::object([
                ("test", Value::string(self.test)),
                ("name", Value::string(name)),
                ("id", id),
                ("timeouts", Value::Null),
            ])
        };
        let request = ApplyRequest {
            type_name: "test_job".into(),
            planned: Some(object(Value::UNKNOWN)),
            config: Some(object(Value::Null)),
            ..ApplyRequest::default()
        };
        let server = self.server.clone();
        tokio::spawn(async move { server.apply_resource_change(request).await.diagnostics.to_string() })
    }

    /// Lets a number of methods return.
    fn end(&self, jobs: usize) {
        self.observed.1.add_permits(jobs);
    }

    fn started(&self) -> Vec<String> {
        self.observed.0.started.lock().unwrap().clone()
    }

    /// Waits until a number of methods have started, and asserts that no other method starts.
    async fn wait_for_started(&self, jobs: usize) {
        while self.started().len() < jobs {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert_eq!(self.started().len(), jobs, "{:?}", self.started());
    }
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap()
        .block_on(test);
}

#[test]
fn concurrency_limit_runs_requests_in_order() {
    run(async {
        let bench = TestBench::new("order").await;
        let mut jobs = Vec::new();
        for name in ["a", "b", "c", "d", "e", "f"] {
            jobs.push(bench.create(name));
            // Starts the requests in this order.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for begun in 2..=6 {
            bench.wait_for_started(begun).await;
            bench.end(1);
        }
        bench.end(1);
        for job in jobs {
            assert_eq!(job.await.unwrap(), "");
        }
        assert_eq!(bench.started(), ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(bench.observed.0.most.load(Ordering::SeqCst), 2);
    });
}

#[test]
fn waiting_request_can_be_interrupted() {
    run(async {
        let bench = TestBench::new("interrupt").await;
        let running = [bench.create("a"), bench.create("b")];
        bench.wait_for_started(2).await;
        let waiting = bench.create("c");
        bench.wait_for_started(2).await;
        bench.stopper.stop();
        let message = waiting.await.unwrap();
        assert_eq!(
            message,
            "Operation Canceled: The creation of test_job, which had not started, was interrupted. Nothing was changed."
        );
        // Running methods continue to their next checkpoint.
        bench.end(2);
        for job in running {
            assert_eq!(job.await.unwrap(), "");
        }
        // Later requests run.
        bench.end(1);
        assert_eq!(bench.create("d").await.unwrap(), "");
        assert_eq!(bench.started().last().map(String::as_str), Some("d"));
    });
}

/// Methods that end because of Ctrl-C do not let waiting requests start.
#[test]
fn no_method_starts_after_stop() {
    run(async {
        for round in ["first", "second", "third", "fourth", "fifth"] {
            let test: &'static str = Box::leak(format!("stop {round}").into_boxed_str());
            let bench = TestBench::real(test).await;
            let running = [bench.create("sleeps a"), bench.create("sleeps b")];
            bench.wait_for_started(2).await;
            let waiting = ["c", "d", "e"].map(|it| bench.create(&format!("sleeps {it}")));
            bench.wait_for_started(2).await;
            bench.stopper.stop();
            for job in waiting {
                assert!(job.await.unwrap().contains("which had not started, was interrupted"));
            }
            for job in running {
                assert!(job.await.unwrap().contains("Operation Canceled"));
            }
            assert_eq!(bench.started().len(), 2, "{:?}", bench.started());
        }
    });
}

#[test]
fn requests_without_method_are_not_limited() {
    run(async {
        let bench = TestBench::new("plan").await;
        let running = [bench.create("a"), bench.create("b")];
        bench.wait_for_started(2).await;
        let object = Value::object([
            ("test", Value::string("plan")),
            ("name", Value::string("c")),
            ("id", Value::Null),
            ("timeouts", Value::Null),
        ]);
        let request = PlanRequest {
            type_name: "test_job".into(),
            is_destroy: false,
            config: Some(object.clone()),
            ..PlanRequest::default()
        };
        let planned = bench.server.plan_resource_change(request).await;
        assert!(planned.diagnostics.is_empty());
        let validation = bench.server.validate_config(Kind::Resource.named("test_job"), object, true);
        assert!(validation.await.is_empty());
        bench.end(2);
        for job in running {
            job.await.unwrap();
        }
    });
}

/// A method that blocks its thread is abandoned at its deadline, but counts toward the limit until it returns.
#[test]
fn abandoned_method_counts_until_it_returns() {
    run(async {
        let bench = TestBench::new("blocked").await;
        let (blocks, other) = (bench.create("blocks"), bench.create("a"));
        bench.wait_for_started(2).await;
        bench.stopper.stop();
        let message = blocks.await.unwrap();
        assert!(message.ends_with("The object is tainted, so the next apply replaces it."), "{message}");
        let third = bench.create("b");
        bench.wait_for_started(2).await;
        // One method may return, regardless of which one.
        bench.end(1);
        bench.wait_for_started(3).await;
        bench.end(2);
        for job in [other, third] {
            assert_eq!(job.await.unwrap(), "");
        }
        assert_eq!(bench.observed.0.most.load(Ordering::SeqCst), 2);
    });
}
