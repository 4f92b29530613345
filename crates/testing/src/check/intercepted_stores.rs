//! Intercepts the methods of state stores, and selects one of several clients of a state store.
//!
//! A server has one configured state store of each type. Each configuration adds a client, as another process of Terraform does, and
//! the interceptor selects the client that receives the next requests.

use std::sync::Arc;

use ferroform::raw::{MethodFuture, RequestContext};
use ferroform::value::Value;
use ferroform_engine::provider::{AnyConfiguredStateStore, AnyStateStore};

use super::intercept::{Intercepted, Interceptor, Method, call};

impl AnyStateStore for Intercepted<dyn AnyStateStore> {
    fn configure(&self, cx: RequestContext, config: Value) -> MethodFuture<Arc<dyn AnyConfiguredStateStore>> {
        let interceptor = self.interceptor.clone();
        let configured = call(&interceptor, Method::Configure, cx, |cx| self.inner.configure(cx, config));
        Box::pin(async move {
            let client = configured.await?;
            interceptor.clients(|it| it.add(client));
            Ok(Arc::new(SelectedClient(interceptor)) as Arc<dyn AnyConfiguredStateStore>)
        })
    }
}

/// Passes each request to the selected client.
struct SelectedClient(Arc<Interceptor>);

impl SelectedClient {
    fn call<T: Send + 'static>(
        &self,
        method: Method,
        cx: RequestContext,
        start: impl FnOnce(&dyn AnyConfiguredStateStore, RequestContext) -> MethodFuture<T>,
    ) -> MethodFuture<T> {
        let client = self.0.clients(|it| it.get(it.selected()));
        call(&self.0, method, cx, |cx| start(&*client, cx))
    }
}

impl AnyConfiguredStateStore for SelectedClient {
    fn read(&self, cx: RequestContext, state_id: String) -> MethodFuture<Option<Vec<u8>>> {
        self.call(Method::Read, cx, |client, cx| client.read(cx, state_id))
    }

    fn write(&self, cx: RequestContext, state_id: String, state: Vec<u8>) -> MethodFuture<()> {
        self.call(Method::Write, cx, |client, cx| client.write(cx, state_id, state))
    }

    fn lock(&self, cx: RequestContext, state_id: String, operation: String) -> MethodFuture<Option<String>> {
        self.call(Method::Lock, cx, |client, cx| client.lock(cx, state_id, operation))
    }

    fn unlock(&self, cx: RequestContext, state_id: String, lock_id: String) -> MethodFuture<()> {
        self.call(Method::Unlock, cx, |client, cx| client.unlock(cx, state_id, lock_id))
    }

    fn states(&self, cx: RequestContext) -> MethodFuture<Vec<String>> {
        self.call(Method::States, cx, |client, cx| client.states(cx))
    }

    fn delete(&self, cx: RequestContext, state_id: String) -> MethodFuture<()> {
        self.call(Method::Delete, cx, |client, cx| client.delete(cx, state_id))
    }
}
