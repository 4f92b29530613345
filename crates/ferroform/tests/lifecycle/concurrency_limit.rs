//! The concurrency limit of a provider.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ferroform::value::Value;
use ferroform::{
    ApplyCx, Clock, Cx, Known, Maybe, Model, Planned, Provider, Registry, RequestCx, Resource, Result,
    Timeouts, path,
};
use ferroform_engine::{ApplyRequest, PlanRequest, ProviderServer, RpcMetadata};
use ferroform_server::Stopper;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// What the tests see of the provider, and how they let its methods end. Each test has its own, by a name.
#[derive(Default)]
struct Seen {
    running: AtomicUsize,
    most: AtomicUsize,
    began: Mutex<Vec<String>>,
}

/// What is seen of a test's methods, and what lets them end.
type Shared = Arc<(Seen, Semaphore)>;

static SEEN: Mutex<Vec<(String, Shared)>> = Mutex::new(Vec::new());

fn seen(test: &str) -> Shared {
    let mut all = SEEN.lock().unwrap();
    if let Some((_, it)) = all.iter().find(|(name, _)| name == test) {
        return it.clone();
    }
    let new = Arc::new((Seen::default(), Semaphore::new(0)));
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
        registry.concurrency(2).resource::<Job>("test_job");
    }
}

/// A job that ends when the test says so.
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

    async fn create(cx: &ApplyCx<Test>, plan: Planned<Self>) -> Result<JobComputed> {
        let remaining = cx.remaining().unwrap_or_default();
        assert!(remaining > Duration::from_secs(599), "waiting for its turn takes none of its time");
        let (seen, go) = &*seen(&plan.test);
        let running = seen.running.fetch_add(1, Ordering::SeqCst) + 1;
        seen.most.fetch_max(running, Ordering::SeqCst);
        seen.began.lock().unwrap().push(plan.name.clone());
        if plan.name.starts_with("sleeps") {
            cx.sleep(Duration::from_secs(60)).await?;
        } else if plan.name == "blocks" {
            cx.checkpoint_at(path!(id), &plan.name);
            // Deaf to everything, as a synchronous client is.
            while go.try_acquire().map(|it| it.forget()).is_err() {
                std::thread::sleep(Duration::from_millis(5));
            }
        } else {
            go.acquire().await.unwrap().forget();
        }
        cx.clock().sleep(Duration::from_secs(60)).await;
        seen.running.fetch_sub(1, Ordering::SeqCst);
        Ok(JobComputed { id: plan.name })
    }

    async fn read(_: &Cx<Test>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Test>, _: Self) -> Result<()> {
        Ok(())
    }
}

struct Bench {
    test: &'static str,
    server: Arc<ProviderServer>,
    stopper: Stopper,
    seen: Shared,
}

impl Bench {
    async fn new(test: &'static str) -> Bench {
        Bench::with(test, Clock::test()).await
    }

    async fn real(test: &'static str) -> Bench {
        Bench::with(test, Clock::default()).await
    }

    async fn with(test: &'static str, clock: Clock) -> Bench {
        let stopper = Stopper::new();
        let server = ferroform::server::<Test>().with_clock(clock).with_stopper(stopper.clone());
        assert!(server.configure_provider(Value::Null, &RpcMetadata::default()).await.is_empty());
        Bench { test, server: Arc::new(server), stopper, seen: seen(test) }
    }

    /// Begins to create a job; the answer is what was said.
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

    /// Lets so many methods end.
    fn end(&self, jobs: usize) {
        self.seen.1.add_permits(jobs);
    }

    fn began(&self) -> Vec<String> {
        self.seen.0.began.lock().unwrap().clone()
    }

    /// Waits until so many methods have begun, and looks whether another one does.
    async fn have_begun(&self, jobs: usize) {
        let start = Instant::now();
        while self.began().len() < jobs {
            assert!(start.elapsed() < Duration::from_secs(20), "only {:?} have begun", self.began());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert_eq!(self.began().len(), jobs, "{:?}", self.began());
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
        let bench = Bench::new("order").await;
        let mut jobs = Vec::new();
        for name in ["a", "b", "c", "d", "e", "f"] {
            jobs.push(bench.create(name));
            // So that they come in this order.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for begun in 2..=6 {
            bench.have_begun(begun).await;
            bench.end(1);
        }
        bench.end(1);
        for job in jobs {
            assert_eq!(job.await.unwrap(), "");
        }
        assert_eq!(bench.began(), ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(bench.seen.0.most.load(Ordering::SeqCst), 2);
    });
}

#[test]
fn waiting_request_can_be_interrupted() {
    run(async {
        let bench = Bench::new("interrupt").await;
        let running = [bench.create("a"), bench.create("b")];
        bench.have_begun(2).await;
        let waiting = bench.create("c");
        bench.have_begun(2).await;
        bench.stopper.stop();
        let said = waiting.await.unwrap();
        assert_eq!(
            said,
            "Operation Canceled: The creation of test_job, which had not started, was interrupted. Nothing was changed."
        );
        // Those that have begun may go on to their next checkpoint.
        bench.end(2);
        for job in running {
            assert_eq!(job.await.unwrap(), "");
        }
        // Later ones have their turn.
        bench.end(1);
        assert_eq!(bench.create("d").await.unwrap(), "");
        assert_eq!(bench.began().last().map(String::as_str), Some("d"));
    });
}

/// Those that end at Ctrl-C leave their turns to others, who are to end too.
#[test]
fn no_method_starts_after_stop() {
    run(async {
        for round in ["first", "second", "third", "fourth", "fifth"] {
            let test: &'static str = Box::leak(format!("stop {round}").into_boxed_str());
            let bench = Bench::real(test).await;
            let running = [bench.create("sleeps a"), bench.create("sleeps b")];
            bench.have_begun(2).await;
            let waiting = ["c", "d", "e"].map(|it| bench.create(&format!("sleeps {it}")));
            bench.have_begun(2).await;
            bench.stopper.stop();
            for job in waiting {
                assert!(job.await.unwrap().contains("which had not started, was interrupted"));
            }
            for job in running {
                assert!(job.await.unwrap().contains("Operation Canceled"));
            }
            assert_eq!(bench.began().len(), 2, "{:?}", bench.began());
        }
    });
}

#[test]
fn requests_without_method_are_not_limited() {
    run(async {
        let bench = Bench::new("plan").await;
        let running = [bench.create("a"), bench.create("b")];
        bench.have_begun(2).await;
        let object = Value::object([
            ("test", Value::string("plan")),
            ("name", Value::string("c")),
            ("id", Value::Null),
            ("timeouts", Value::Null),
        ]);
        let request = PlanRequest {
            type_name: "test_job".into(),
            proposed: Some(object.clone()),
            config: Some(object.clone()),
            ..PlanRequest::default()
        };
        let planned =
            tokio::time::timeout(Duration::from_secs(20), bench.server.plan_resource_change(request))
                .await
                .unwrap();
        assert!(planned.diagnostics.is_empty());
        let judged = bench.server.validate_resource_config("test_job", object, true);
        assert!(tokio::time::timeout(Duration::from_secs(20), judged).await.unwrap().is_empty());
        bench.end(2);
        for job in running {
            job.await.unwrap();
        }
    });
}

/// A method that blocks its thread is given up after a while, but goes on: until then it has its turn.
#[test]
fn abandoned_method_counts_until_it_returns() {
    run(async {
        let bench = Bench::new("blocked").await;
        let (blocks, other) = (bench.create("blocks"), bench.create("a"));
        bench.have_begun(2).await;
        bench.stopper.stop();
        let said = blocks.await.unwrap();
        assert!(
            said.ends_with(
                "The state contains the values that the provider recorded before the interruption."
            ),
            "{said}"
        );
        let third = bench.create("b");
        bench.have_begun(2).await;
        // One may end: whichever it is, one turn is free.
        bench.end(1);
        bench.have_begun(3).await;
        bench.end(2);
        for job in [other, third] {
            assert_eq!(job.await.unwrap(), "");
        }
        assert_eq!(bench.seen.0.most.load(Ordering::SeqCst), 2);
    });
}
