//! A provider without configuration, for the resources and data sources of a test.

use std::sync::Arc;

use ferroform::Maybe;
use ferroform::raw::{AnyDataSource, AnyProvider, AnyResource, MethodFuture};
use ferroform::raw::{ProviderData, RequestContext};
use ferroform::schema::{Block, Schema};
use ferroform::value::Value;

pub struct TestProvider {
    schema: Schema,
    resources: Vec<(String, Arc<dyn AnyResource>)>,
    data_sources: Vec<(String, Arc<dyn AnyDataSource>)>,
}

impl TestProvider {
    /// A provider with these resources, in the order of their names.
    pub fn new(resources: Vec<(String, Arc<dyn AnyResource>)>) -> TestProvider {
        let schema = Schema::new(Block::new());
        TestProvider { schema, resources, data_sources: Vec::new() }
    }

    /// A provider with the resource `test_thing`.
    #[allow(dead_code, reason = "each test uses a part")]
    pub fn with_thing(thing: impl AnyResource + 'static) -> Arc<TestProvider> {
        Arc::new(TestProvider::new(vec![("test_thing".to_owned(), Arc::new(thing))]))
    }

    /// Adds a data source.
    #[allow(dead_code, reason = "each test uses a part")]
    pub fn data_source(mut self, name: &str, source: Arc<dyn AnyDataSource>) -> TestProvider {
        self.data_sources.push((name.to_owned(), source));
        self
    }
}

impl AnyProvider for TestProvider {
    fn address(&self) -> &str {
        "example.com/test/test"
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn configure(&self, _: RequestContext, _: Value) -> MethodFuture<Maybe<ProviderData>> {
        Box::pin(async { Ok(Maybe::Known(Arc::new(()) as ProviderData)) })
    }

    fn resources(&self) -> &[(String, Arc<dyn AnyResource>)] {
        &self.resources
    }

    fn data_sources(&self) -> &[(String, Arc<dyn AnyDataSource>)] {
        &self.data_sources
    }
}
