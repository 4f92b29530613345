//! A provider without configuration, for the resources and data sources of a test.

use std::sync::Arc;

use ferroform::Maybe;
use ferroform::raw::{
    AnyConfigurable, AnyDataSource, AnyProvider, AnyResource, Definition, Definitions, MethodFuture,
    ProviderData, RequestContext,
};
use ferroform::schema::{Block, Schema};
use ferroform::value::Value;

pub struct TestProvider {
    schema: Schema,
    definitions: Definitions,
}

impl TestProvider {
    /// A provider with these resources.
    pub fn new(resources: Vec<(String, Arc<dyn AnyResource>)>) -> TestProvider {
        let mut definitions = Definitions::new();
        for (name, resource) in resources {
            definitions.insert(name, Definition::Resource(resource));
        }
        TestProvider { schema: Schema::new(Block::new()), definitions }
    }

    /// A provider with the resource `test_thing`.
    #[allow(dead_code, reason = "each test uses a part")]
    pub fn with_thing(thing: impl AnyResource + 'static) -> Arc<TestProvider> {
        Arc::new(TestProvider::new(vec![("test_thing".to_owned(), Arc::new(thing))]))
    }

    /// Adds a data source.
    #[allow(dead_code, reason = "each test uses a part")]
    pub fn data_source(mut self, name: &str, source: Arc<dyn AnyDataSource>) -> TestProvider {
        self.definitions.insert(name, Definition::DataSource(source));
        self
    }
}

impl AnyConfigurable for TestProvider {
    fn schema(&self) -> &Schema {
        &self.schema
    }
}

impl AnyProvider for TestProvider {
    fn address(&self) -> &str {
        "example.com/test/test"
    }

    fn configure(&self, _: RequestContext, _: Value) -> MethodFuture<Maybe<ProviderData>> {
        Box::pin(async { Ok(Maybe::Known(Arc::new(()) as ProviderData)) })
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }
}
