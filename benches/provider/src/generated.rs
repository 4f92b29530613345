//! Types that are built at run time with the `raw` interface, as a provider for an API description uses it.

use std::borrow::Cow;
use std::sync::Arc;

use ferroform::Result;
use ferroform::raw::RequestContext;
use ferroform::raw::{AnyChange, AnyConfigurable, AnyResource, MethodFuture, ResourceCapabilities};
use ferroform::schema::{Attribute, AttributeExt as _, Block, LazySchema, Mode, Nested, Schema};
use ferroform::value::{Object, Type, Value};

/// The resource with this number.
pub(crate) fn resource(number: usize) -> Arc<dyn AnyResource> {
    let schema = LazySchema::new(move || Schema::new(block(number)));
    Arc::new(Generated { number, schema })
}

/// The resource with this number, whose blocks are nested as deeply as in the largest types of real providers, such as a
/// web ACL: 3,280 blocks on eight levels with 16,401 attributes.
pub(crate) fn deep_resource(number: usize) -> Arc<dyn AnyResource> {
    let schema = LazySchema::new(move || {
        let id = Attribute::raw("id", Type::String).computed().use_state_for_unknown();
        Schema::new(deep_block(&format!("{number:04}"), 7).attribute(id))
    });
    Arc::new(Generated { number, schema })
}

/// A block with five attributes and three blocks for each of the levels below it.
fn deep_block(number: &str, levels: usize) -> Block {
    let block = nested(number);
    if levels == 0 {
        return block;
    }
    ["and_statement", "or_statement", "not_statement"].into_iter().fold(block, |block, name| {
        let inner = Nested::list(deep_block(number, levels - 1));
        block.block(Attribute::raw_nested(name, inner).optional())
    })
}

struct Generated {
    number: usize,
    schema: LazySchema,
}

/// The name that the descriptions of the ID and of the type contain. It has the usual length.
const ID: &str = "own id";

fn block(number: usize) -> Block {
    let number = &*format!("{number:04}");
    let id = Attribute::raw("id", Type::String).computed().use_state_for_unknown();
    let rest = (1..=39).map(|i| {
        let name = format!("attr_{i:02}");
        let about = about(number, &name);
        let attribute = match i % 8 {
            3 => Attribute::of::<Option<i64>>(&*name),
            0 | 4 => Attribute::raw(&*name, Type::Bool),
            5 => Attribute::raw(&*name, Type::list(Type::String)),
            6 => Attribute::raw_nested(&*name, Nested::single(nested(number))),
            _ => Attribute::raw(&*name, Type::String),
        };
        attribute.with_mode(Mode::Optional).description(about)
    });
    let id = [id.description(about(number, ID))];
    Block::new().description(about(number, ID)).with_attributes(id.into_iter().chain(rest))
}

fn nested(number: &str) -> Block {
    let optional = [
        Attribute::raw("value", Type::String),
        Attribute::of::<Option<i64>>("weight"),
        Attribute::raw("active", Type::Bool),
        Attribute::raw("tags", Type::list(Type::String)),
    ];
    let key = Attribute::raw("key", Type::String);
    let all = [key].into_iter().chain(optional.map(|it| it.with_mode(Mode::Optional)));
    Block::new().with_attributes(all.map(|it| {
        let about = about(number, it.name());
        it.description(about)
    }))
}

/// A description of the usual length, from 63 to 67 letters.
fn about(number: &str, name: &str) -> String {
    ["The ", name, " of generated type ", number, ", described at the common length."].concat()
}

impl Generated {
    fn ready<T: Send + 'static>(&self, value: T) -> MethodFuture<T> {
        Box::pin(async move { Result::Ok(value) })
    }

    fn computed(&self) -> Object {
        [("id".into(), Value::string(format!("gen-{:04}", self.number)))].into_iter().collect()
    }
}

impl AnyConfigurable for Generated {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        self.ready(())
    }
}

impl AnyResource for Generated {
    fn capabilities(&self) -> ResourceCapabilities {
        ResourceCapabilities::new().update()
    }

    fn plan(&self, _: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        self.ready(change.plan)
    }

    fn create(&self, _: RequestContext, _: Value) -> MethodFuture<Object> {
        self.ready(self.computed())
    }

    fn read(&self, _: RequestContext, state: Value) -> MethodFuture<Value> {
        self.ready(state)
    }

    fn update(&self, _: RequestContext, _: Value, _: Value) -> MethodFuture<Object> {
        self.ready(self.computed())
    }

    fn delete(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        self.ready(())
    }

    fn import(&self, _: RequestContext, id: String) -> MethodFuture<Value> {
        self.ready(Value::string(id))
    }
}
