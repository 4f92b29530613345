//! Code for all adapters between the traits of provider authors and those of the engine. Each adapter is in the file of
//! the author's trait. Adapters only convert between Rust types and values, because their code is compiled once for each
//! resource.

use std::borrow::Cow;
use std::marker::PhantomData;

use ferroform_engine::validator::conversion_error;
use ferroform_value::Value;

use crate::raw::{AnyConfigurable, MethodFuture, RequestContext};
use crate::schema::{LazySchema, Schema};
use crate::{Attr, Context as _, Diagnostics, Result};

/// The object of the engine for a type of the author, with what else its kind needs.
pub(crate) struct Typed<T, Extra = ()> {
    schema: LazySchema,
    validate: fn(RequestContext, Value) -> MethodFuture<()>,
    pub(crate) extra: Extra,
    object: PhantomData<fn() -> T>,
}

impl<T, Extra> Typed<T, Extra> {
    /// An object with the schema of its configuration, and with the function that [`validate!`] creates.
    pub(crate) fn new(
        schema: fn() -> Schema,
        validate: fn(RequestContext, Value) -> MethodFuture<()>,
        extra: Extra,
    ) -> Typed<T, Extra> {
        Typed { schema: LazySchema::new(schema), validate, extra, object: PhantomData }
    }
}

impl<T, Extra: Send + Sync> AnyConfigurable for Typed<T, Extra> {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn validate(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        (self.validate)(context, config)
    }
}

/// A function that calls the `validate` method of the author's type with its model of the configuration.
macro_rules! validate {
    ($author:ty, $model:ty) => {
        |context, config| {
            Box::pin(async move {
                let config: $crate::model::Config<$model> = $crate::typed::read_config(&config)?;
                if $crate::optional_method::is_implemented(&<$author>::validate) {
                    <$author>::validate(&context.into(), config).await
                } else {
                    Ok(())
                }
            })
        }
    };
}

pub(crate) use validate;

/// Reads a value that the engine has checked against the schema. A failure is a bug: for example, the author's `from_value`
/// rejects what `to_value` has returned.
pub(crate) fn read<T: Attr>(value: &Value, name: &str) -> Result<T> {
    T::from_value(value).map_err(Diagnostics::from).context(format!("Cannot Read the {name}"))
}

/// Reads the configuration for `validate`. It may have a null value for a required attribute, which is reported here.
pub(crate) fn read_config<T: Attr>(value: &Value) -> Result<T> {
    T::from_value(value).map_err(|it| conversion_error(&it))
}
