//! Injects a fault at an await point of a provider's method.
//!
//! Each object of the provider is wrapped, and each method returns a future that polls the future of the provider's method. When this
//! future is suspended for the n-th time, which happens at an `.await`, a fault can be injected:
//!
//! | fault | effect |
//! |---|---|
//! | error | the method is dropped and returns an error, as if the awaited operation had failed |
//! | panic | the method is dropped, and a panic is reported |
//!
//! These two faults are injected only where the method sleeps on the test clock. While it waits for a response, it can be suspended
//! several times, and it is unknown whether the service has processed the request.
//!
//! | fault | effect |
//! |---|---|
//! | stop | the practitioner presses Ctrl-C: the method continues until the engine would drop it |
//! | timeout | the deadline passes, if the method has one; then as for stop |

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use ferroform::function::FunctionSignature;
use ferroform::raw::{
    AnyAction, AnyChange, AnyConfigurable, AnyDataSource, AnyEphemeralResource, AnyFunction, AnyListResource,
    AnyOpened, AnyProvider, AnyRenewed, AnyResource, Definition, Definitions, EphemeralCapabilities,
    ListResults, LogMasks, MethodFuture, Move, MoveSource, ProviderData, RequestContext,
    ResourceCapabilities, StoredState,
};
use ferroform::schema::{IdentitySchema, ImportPattern, Schema, Upgrades};
use ferroform::value::{Object, Type, Value};
use ferroform::{Diagnostic, Maybe, UnknownConfig};
use ferroform_engine::{ProviderServer, Stopper};
use tokio::time::Sleep;

#[cfg(feature = "unstable-state-stores")]
use super::store_clients::Clients;
use crate::Invariant;

/// A method of a provider's object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Configure,
    Validate,
    Plan,
    Create,
    Read,
    Update,
    Delete,
    Import,
    Upgrade,
    Open,
    Renew,
    Close,
    Invoke,
    List,
    Call,
    #[cfg(feature = "unstable-state-stores")]
    States,
    #[cfg(feature = "unstable-state-stores")]
    Write,
    #[cfg(feature = "unstable-state-stores")]
    Lock,
    #[cfg(feature = "unstable-state-stores")]
    Unlock,
}

impl Method {
    /// The name of the method.
    pub(super) fn method_name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// True if the engine drops the method at once when the request is canceled.
    fn is_read_only(self) -> bool {
        use Method::{Call, Configure, Import, List, Plan, Read, Upgrade, Validate};
        #[cfg(feature = "unstable-state-stores")]
        if self == Method::States {
            return true;
        }
        matches!(self, Configure | Validate | Plan | Read | Import | Upgrade | List | Call)
    }
}

/// A fault at an await point of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Error,
    Panic,
    Stop,
    Timeout,
}

impl Fault {
    pub(super) const ALL: [Fault; 4] = [Fault::Stop, Fault::Error, Fault::Timeout, Fault::Panic];

    /// The fault in a sentence about a method: `` `create` is canceled ``.
    pub(super) fn description(self) -> &'static str {
        match self {
            Fault::Error => "fails",
            Fault::Panic => "panics",
            Fault::Stop => "is canceled",
            Fault::Timeout => "times out",
        }
    }
}

/// A change by another program while a method is suspended. It runs in the context of this method.
pub(super) type ConcurrentChange = Box<dyn FnOnce(RequestContext) -> MethodFuture<()> + Send>;

/// Injects faults into methods, and records their results.
#[derive(Default)]
pub(super) struct Interceptor {
    state: Mutex<State>,
    /// Cancels the requests of all servers of the provider.
    pub(super) stopper: Stopper,
}

#[derive(Default)]
struct State {
    /// The method, the number of the await point, counted from 1, and the fault.
    armed: Option<(Method, usize, Fault)>,
    /// The method, the number of the await point, and the change by another program.
    concurrent_change: Option<(Method, usize, ConcurrentChange)>,
    /// True if the fault or the change was injected.
    is_reached: bool,
    /// True if the change by another program was dropped, because it waited for the method.
    has_conflict: bool,
    problem: Option<(Invariant, String)>,
    /// The methods that have succeeded.
    succeeded: Vec<Method>,
    /// The method of an ephemeral resource before which another program closes it.
    closed_before: Option<Method>,
    /// The private data of ephemeral resources.
    private: Vec<Vec<u8>>,
    /// True if a method has succeeded although `cx` reported a cancellation or timeout to it.
    has_ignored_cancellation: bool,
    /// The clients of the state store of the sequence.
    #[cfg(feature = "unstable-state-stores")]
    clients: Clients,
}

impl Interceptor {
    /// Resets the interceptor.
    pub(super) fn reset(&self) {
        *self.state() = State::default();
    }

    /// Injects a fault at the await point of a method with this number, once.
    pub(super) fn arm(&self, method: Method, point: usize, fault: Fault) {
        let mut state = self.state();
        (state.armed, state.is_reached) = (Some((method, point, fault)), false);
    }

    /// Runs a change by another program at the await point of a method with this number, once.
    pub(super) fn change_concurrently(
        &self,
        method: Method,
        point: usize,
        concurrent_change: ConcurrentChange,
    ) {
        let mut state = self.state();
        state.concurrent_change = Some((method, point, concurrent_change));
        (state.is_reached, state.has_conflict) = (false, false);
    }

    /// Returns true if the fault or the change was injected, and prevents further injections.
    pub(super) fn disarm(&self) -> bool {
        let mut state = self.state();
        (state.armed, state.concurrent_change) = (None, None);
        std::mem::take(&mut state.is_reached)
    }

    /// Returns true if the change by another program was dropped, because it waited for the method.
    pub(super) fn has_conflict(&self) -> bool {
        self.state().has_conflict
    }

    /// Returns and removes the first problem of a method.
    pub(super) fn take_problem(&self) -> Option<(Invariant, String)> {
        self.state().problem.take()
    }

    /// Calls the function with the clients of the state store.
    #[cfg(feature = "unstable-state-stores")]
    pub(super) fn clients<T>(&self, with: impl FnOnce(&mut Clients) -> T) -> T {
        with(&mut self.state().clients)
    }

    /// Closes the ephemeral resource as another program before the method runs, once.
    pub(super) fn close_before(&self, method: Method) {
        self.state().closed_before = Some(method);
    }

    /// Returns true if another program closes the ephemeral resource before the method runs.
    fn is_closed_before(&self, method: Method) -> bool {
        self.state().closed_before.take_if(|it| *it == method).is_some()
    }

    /// Records the private data of an ephemeral resource.
    fn record_private(&self, private: &[u8]) {
        let mut state = self.state();
        if !state.private.iter().any(|it| it == private) {
            state.private.push(private.to_vec());
        }
    }

    /// All private data that ephemeral resources have returned.
    pub(super) fn private_data(&self) -> Vec<Vec<u8>> {
        self.state().private.clone()
    }

    /// Returns true if a call of the method has succeeded.
    pub(super) fn has_succeeded(&self, method: Method) -> bool {
        self.state().succeeded.contains(&method)
    }

    fn concurrent_change_at(&self, method: Method, point: usize) -> Option<ConcurrentChange> {
        let mut state = self.state();
        state.concurrent_change.take_if(|(changed, at, _)| (*changed, *at) == (method, point)).map(
            |(.., it)| {
                state.is_reached = true;
                it
            },
        )
    }

    /// Returns true if a method has succeeded although `cx` reported a cancellation or timeout to it.
    pub(super) fn has_ignored_cancellation(&self) -> bool {
        self.state().has_ignored_cancellation
    }

    fn fault_at(&self, method: Method, point: usize, waits_for_response: bool) -> Option<Fault> {
        let mut state = self.state();
        let fault = state.armed.filter(|(armed, at, _)| (*armed, *at) == (method, point)).map(|(.., it)| it);
        let fault = fault.filter(|it| !waits_for_response || matches!(it, Fault::Stop | Fault::Timeout));
        if fault.is_some() {
            (state.armed, state.is_reached) = (None, true);
        }
        fault
    }

    fn report(&self, invariant: Invariant, problem: String) {
        self.state().problem.get_or_insert((invariant, problem));
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Every change is a single assignment or push.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The maximum time that a method may wait on the test clock without a timeout.
const MAX_WAIT: Duration = Duration::from_secs(24 * 3600);

/// The maximum number of suspensions of a method.
const MAX_SUSPENSIONS: usize = 20_000;

/// The maximum time that a method without a checkpoint may wait on the test clock after a cancellation, as in the engine.
const GRACE: Duration = Duration::from_secs(20);

/// The maximum time that a method may block its thread, in real time. Synchronous clients block it for each request.
const MAX_BLOCKED: Duration = Duration::from_secs(1);

/// The maximum time of a change by another program, in real time. A change that takes longer waits for the suspended method, for example
/// for a lock that the method holds.
const MAX_CHANGE: Duration = Duration::from_secs(1);

/// A call of a method.
struct Call<T> {
    method: Method,
    cx: RequestContext,
    interceptor: Arc<Interceptor>,
    /// `None` once it has been dropped.
    future: Option<MethodFuture<T>>,
    suspensions: usize,
    /// The time of the first poll.
    started: Option<Instant>,
    /// The time of the cancellation.
    stopped: Option<Instant>,
    /// The change by another program while the method is suspended, with its time limit.
    concurrent_change: Option<(MethodFuture<()>, Pin<Box<Sleep>>)>,
    /// Ends when the request is canceled because of its deadline.
    expiry: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<T> Future for Call<T> {
    type Output = ferroform::Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        loop {
            if let Some(expiry) = &mut this.expiry {
                if expiry.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
                (this.expiry, this.stopped) = (None, Some(this.cx.clock().now()));
            }
            if let Some((concurrent_change, limit)) = &mut this.concurrent_change {
                if concurrent_change.as_mut().poll(context).is_pending() {
                    if limit.as_mut().poll(context).is_pending() {
                        return Poll::Pending;
                    }
                    let mut state = this.interceptor.state();
                    (state.is_reached, state.has_conflict) = (false, true);
                }
                this.concurrent_change = None;
            }
            // The method was dropped below. Stay pending until the engine drops this future as well.
            let Some(future) = &mut this.future else { return Poll::Pending };
            let started = *this.started.get_or_insert_with(|| this.cx.clock().now());
            let real_start = Instant::now();
            let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
            let polled = polled.unwrap_or_else(|panic| {
                let message = panic.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
                this.interceptor.report(Invariant::NothingPanics, format!("the method panicked: {message}"));
                // The engine must catch the panic, too.
                resume_unwind(panic)
            });
            if let (Method::Open, Some(private)) = (this.method, this.cx.opened_private()) {
                this.interceptor.record_private(&private);
            }
            let blocked = real_start.elapsed();
            if blocked > MAX_BLOCKED {
                let problem =
                    format!("the method blocked its thread for {:.1} s of real time", blocked.as_secs_f64());
                this.interceptor.report(Invariant::MethodEnds, problem);
            }
            if let Poll::Ready(result) = polled {
                if result.is_ok() {
                    let mut state = this.interceptor.state();
                    state.succeeded.push(this.method);
                    state.has_ignored_cancellation |= this.cx.is_interruption_reported();
                }
                return Poll::Ready(result);
            }
            this.suspensions += 1;
            if let Some(problem) = this.overdue(started) {
                this.interceptor.report(Invariant::MethodEnds, problem);
                this.future = None;
                return Poll::Ready(Err(this.cx.interrupted()));
            }
            if this.stopped.is_some() {
                let has_checkpoint = !this.cx.checkpoints().is_empty() || this.cx.opened_private().is_some();
                if this.method.is_read_only() || has_checkpoint {
                    this.future = None;
                }
                return Poll::Pending;
            }
            if let Some(concurrent_change) =
                this.interceptor.concurrent_change_at(this.method, this.suspensions)
            {
                let limit = Box::pin(tokio::time::sleep(MAX_CHANGE));
                this.concurrent_change = Some((concurrent_change(this.cx.clone()), limit));
                continue;
            }
            let waits_for_response = !this.cx.clock().has_sleepers();
            match this.interceptor.fault_at(this.method, this.suspensions, waits_for_response) {
                None => return Poll::Pending,
                Some(Fault::Error) => {
                    this.future = None;
                    let detail =
                        "`check_provider` injected this error into the operation on which the method waited.";
                    return Poll::Ready(Err(Diagnostic::error("Injected Error").detail(detail).into()));
                }
                Some(Fault::Panic) => {
                    this.future = None;
                    // Without a call of the panic hook, nothing is printed.
                    resume_unwind(Box::new("injected panic"));
                }
                // The method is polled again at once, so that it notices the cancellation before it can be dropped.
                Some(Fault::Stop) => {
                    this.interceptor.stopper.stop();
                    this.stopped = Some(this.cx.clock().now());
                }
                Some(Fault::Timeout) => match this.cx.remaining() {
                    None => {
                        this.interceptor.state().is_reached = false;
                        return Poll::Pending;
                    }
                    Some(remaining) => {
                        this.cx.clock().advance(remaining + Duration::from_millis(1));
                        let cx = this.cx.clone();
                        this.expiry = Some(Box::pin(async move { cx.cancelled().await }));
                    }
                },
            }
        }
    }
}

impl<T> Call<T> {
    /// The problem if the method should have ended.
    fn overdue(&self, started: Instant) -> Option<String> {
        let now = self.cx.clock().now();
        let since = |it: Instant| now.saturating_duration_since(it);
        if self.stopped.is_some_and(|it| since(it) > GRACE) {
            return Some(format!("the method waited for more than {GRACE:?} after it was canceled"));
        }
        if since(started) > MAX_WAIT {
            return Some("the method waited for more than 24 hours of simulated time".to_owned());
        }
        (self.suspensions > MAX_SUSPENSIONS)
            .then(|| format!("the method was suspended more than {MAX_SUSPENSIONS} times and did not end"))
    }
}

/// A provider whose methods are intercepted.
pub(super) struct InterceptedProvider {
    /// It is never configured; it owns the provider.
    server: ProviderServer,
    definitions: Definitions,
    interceptor: Arc<Interceptor>,
}

impl InterceptedProvider {
    /// Wraps the provider of a server.
    pub(super) fn new(server: ProviderServer, interceptor: &Arc<Interceptor>) -> InterceptedProvider {
        let mut definitions = Definitions::new();
        for (owner, definition) in server.provider().definitions().iter() {
            definitions.insert(owner.name, intercepted(definition, interceptor));
        }
        InterceptedProvider { server, definitions, interceptor: interceptor.clone() }
    }
}

fn intercepted(definition: &Definition, interceptor: &Arc<Interceptor>) -> Definition {
    fn wrap<T: ?Sized>(inner: &Arc<T>, interceptor: &Arc<Interceptor>) -> Arc<Intercepted<T>> {
        Arc::new(Intercepted { inner: inner.clone(), interceptor: interceptor.clone() })
    }
    match definition {
        Definition::Resource(it) => Definition::Resource(wrap(it, interceptor)),
        Definition::DataSource(it) => Definition::DataSource(wrap(it, interceptor)),
        Definition::EphemeralResource(it) => Definition::EphemeralResource(wrap(it, interceptor)),
        Definition::ListResource(it) => Definition::ListResource(wrap(it, interceptor)),
        Definition::Function(it) => Definition::Function(wrap(it, interceptor)),
        Definition::Action(it) => Definition::Action(wrap(it, interceptor)),
        #[cfg(feature = "unstable-state-stores")]
        Definition::StateStore(it) => Definition::StateStore(wrap(it, interceptor)),
        other => other.clone(),
    }
}

pub(super) fn call<T: Send + 'static>(
    interceptor: &Arc<Interceptor>,
    method: Method,
    cx: RequestContext,
    start: impl FnOnce(RequestContext) -> MethodFuture<T>,
) -> MethodFuture<T> {
    let (future, interceptor) = (Some(start(cx.clone())), interceptor.clone());
    Box::pin(Call {
        method,
        cx,
        interceptor,
        future,
        suspensions: 0,
        started: None,
        stopped: None,
        concurrent_change: None,
        expiry: None,
    })
}

impl AnyConfigurable for InterceptedProvider {
    fn schema(&self) -> &Schema {
        self.server.provider().schema()
    }

    fn validate(&self, cx: RequestContext, config: Value) -> MethodFuture<()> {
        call(&self.interceptor, Method::Validate, cx, |cx| self.server.provider().validate(cx, config))
    }
}

impl AnyProvider for InterceptedProvider {
    fn address(&self) -> &str {
        self.server.provider().address()
    }

    fn configure(&self, cx: RequestContext, config: Value) -> MethodFuture<Maybe<ProviderData>> {
        call(&self.interceptor, Method::Configure, cx, |cx| self.server.provider().configure(cx, config))
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn provider_meta(&self) -> Option<&Schema> {
        self.server.provider().provider_meta()
    }

    fn unknown_config(&self) -> UnknownConfig {
        self.server.provider().unknown_config()
    }

    fn concurrency_limit(&self) -> Option<usize> {
        self.server.provider().concurrency_limit()
    }

    fn log_masks(&self) -> LogMasks {
        self.server.provider().log_masks()
    }

    fn definition_errors(&self) -> Vec<String> {
        self.server.provider().definition_errors()
    }
}

/// An object whose methods are intercepted.
pub(super) struct Intercepted<T: ?Sized> {
    pub(super) interceptor: Arc<Interceptor>,
    pub(super) inner: Arc<T>,
}

impl<T: AnyConfigurable + ?Sized> AnyConfigurable for Intercepted<T> {
    fn schema(&self) -> &Schema {
        self.inner.schema()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.inner.describe()
    }

    fn validate(&self, cx: RequestContext, config: Value) -> MethodFuture<()> {
        call(&self.interceptor, Method::Validate, cx, |cx| self.inner.validate(cx, config))
    }
}

/// Methods that are called through the interceptor: `name(argument: Type) -> Result, as Method`.
macro_rules! methods {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $result:ty, as $method:ident;)+) => {$(
        fn $name(&self, cx: RequestContext, $($argument: $ty),*) -> MethodFuture<$result> {
            call(&self.interceptor, Method::$method, cx, |cx| self.inner.$name(cx, $($argument),*))
        }
    )+};
}

impl AnyResource for Intercepted<dyn AnyResource> {
    methods! {
        plan(change: AnyChange) -> Value, as Plan;
        plan_delete(state: Value) -> (), as Plan;
        create(plan: Value) -> Object, as Create;
        read(state: Value) -> Value, as Read;
        update(prior: Value, plan: Value) -> Object, as Update;
        delete(state: Value) -> (), as Delete;
        import(id: String) -> Value, as Import;
        import_by_identity(identity: Value) -> Value, as Import;
        upgrade(stored: StoredState) -> Value, as Upgrade;
        move_from(source: MoveSource) -> Value, as Upgrade;
    }

    fn capabilities(&self) -> ResourceCapabilities {
        self.inner.capabilities()
    }

    fn upgrades(&self) -> Upgrades {
        self.inner.upgrades()
    }

    fn moves(&self) -> Vec<Move> {
        self.inner.moves()
    }

    fn import_patterns(&self) -> &[ImportPattern] {
        self.inner.import_patterns()
    }

    fn identity(&self) -> Option<&IdentitySchema> {
        self.inner.identity()
    }

    fn identify(&self, cx: RequestContext, state: Value) -> MethodFuture<Value> {
        self.inner.identify(cx, state)
    }
}

impl AnyListResource for Intercepted<dyn AnyListResource> {
    methods! {
        list(config: Value, results: ListResults) -> (), as List;
    }
}

impl AnyDataSource for Intercepted<dyn AnyDataSource> {
    methods! {
        read(config: Value) -> Object, as Read;
    }
}

impl AnyFunction for Intercepted<dyn AnyFunction> {
    methods! {
        call(arguments: Vec<Value>) -> Value, as Call;
    }

    fn signature(&self) -> &FunctionSignature {
        self.inner.signature()
    }
}

impl AnyEphemeralResource for Intercepted<dyn AnyEphemeralResource> {
    fn open(&self, cx: RequestContext, config: Value) -> MethodFuture<AnyOpened> {
        let interceptor = self.interceptor.clone();
        let opened = call(&interceptor, Method::Open, cx, |cx| self.inner.open(cx, config));
        Box::pin(async move { opened.await.inspect(|it| interceptor.record_private(&it.private)) })
    }

    fn renew(&self, cx: RequestContext, private: Vec<u8>) -> MethodFuture<AnyRenewed> {
        let interceptor = self.interceptor.clone();
        let earlier = self.earlier_close(Method::Renew, &cx, &private);
        let renewed = call(&interceptor, Method::Renew, cx, |cx| self.inner.renew(cx, private));
        Box::pin(async move {
            earlier.await;
            renewed.await.inspect(|it| interceptor.record_private(&it.private))
        })
    }

    fn close(&self, cx: RequestContext, private: Vec<u8>) -> MethodFuture<()> {
        let earlier = self.earlier_close(Method::Close, &cx, &private);
        let closed = call(&self.interceptor, Method::Close, cx, |cx| self.inner.close(cx, private));
        Box::pin(async move {
            earlier.await;
            closed.await
        })
    }

    fn capabilities(&self) -> EphemeralCapabilities {
        self.inner.capabilities()
    }

    fn private_type(&self) -> Option<Type> {
        self.inner.private_type()
    }
}

impl Intercepted<dyn AnyEphemeralResource> {
    /// The close by another program, if it happens before this method.
    fn earlier_close(
        &self,
        method: Method,
        cx: &RequestContext,
        private: &[u8],
    ) -> impl Future<Output = ()> + Send + use<> {
        let is_closed = self.interceptor.is_closed_before(method);
        let closed = is_closed.then(|| self.inner.close(cx.clone(), private.to_vec()));
        async move {
            if let Some(closed) = closed {
                // Its errors do not matter.
                let _ = closed.await;
            }
        }
    }
}

impl AnyAction for Intercepted<dyn AnyAction> {
    methods! {
        plan(config: Value) -> (), as Plan;
        invoke(config: Value) -> (), as Invoke;
    }

    fn has_plan(&self) -> bool {
        self.inner.has_plan()
    }
}
