//! The adapter between [`Lookup`] and the trait of data sources.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_value::{Object, Type, Value};

use crate::model::{Args, Config};
use crate::optional_method::is_implemented;
use crate::raw::{AnyDataSource, MethodFuture, RequestContext};
use crate::schema::{LazySchema, Mode, Schema};
use crate::typed::{read, read_config};
use crate::{Attr, Cx, Lookup, Model, Provider, Registry, Resource};

struct TypedLookup<L> {
    schema: LazySchema,
    lookup: PhantomData<fn() -> L>,
}

impl<L: Lookup> Default for TypedLookup<L> {
    fn default() -> Self {
        TypedLookup { schema: LazySchema::new(schema::<L>), lookup: PhantomData }
    }
}

/// The arguments, and the other attributes of the resource as computed ones.
fn schema<L: Lookup>() -> Schema {
    let mut schema = L::schema();
    let block = &mut schema.block;
    for attribute in L::Resource::schema().block.computed_attributes() {
        let Some(argument) = block.attributes.iter_mut().find(|it| it.name == attribute.name) else {
            block.attributes.push(attribute);
            continue;
        };
        if argument.mode == Mode::Optional {
            *argument = argument.clone().optional_computed();
        }
        if argument.description.is_empty() {
            *argument =
                argument.clone().description_of_kind(attribute.description, attribute.description_kind);
        }
        argument.sensitive |= attribute.sensitive;
    }
    schema
}

/// The arguments in an object of the whole schema.
fn arguments_in<L: Lookup>(config: Value) -> Value {
    match config {
        Value::Object(all) => {
            Value::Object(all.into_iter().filter(|(name, _)| L::__has_attribute(name)).collect())
        }
        other => other,
    }
}

/// The value without the attributes that the type does not have: those that are write-only in the resource.
fn conforming(value: Value, ty: &Type) -> Value {
    let within = |it: Value| ty.element().map_or(Value::Null, |element| conforming(it, element));
    match (value, ty) {
        (Value::Object(object), Type::Object(types)) => {
            let attributes = object.into_iter().filter_map(|(name, it)| {
                let ty = &types.get(&name)?.ty;
                Some((name, conforming(it, ty)))
            });
            Value::Object(attributes.collect())
        }
        (Value::List(it), Type::List(_)) => Value::List(it.into_iter().map(within).collect()),
        (Value::Set(it), Type::Set(_)) => Value::Set(it.into_iter().map(within).collect()),
        (Value::Map(it), Type::Map(_)) => {
            Value::Map(it.into_iter().map(|(key, it)| (key, within(it))).collect())
        }
        (value, _) => value,
    }
}

impl<L: Lookup> AnyDataSource for TypedLookup<L> {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn validate(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<L> = read_config(&arguments_in::<L>(config))?;
            if is_implemented(&L::validate) { L::validate(&context.into(), config).await } else { Ok(()) }
        })
    }

    fn read(&self, context: RequestContext, config: Value) -> MethodFuture<Object> {
        let ty = self.schema.get().block.ty();
        Box::pin(async move {
            let is_set = |name: &str| config.attribute(name).is_some_and(|it| !it.is_null());
            let args: Args<L> = read(&arguments_in::<L>(config.clone()), "Configuration")?;
            let object = L::read(&Cx::new(context)?, args).await?.to_value();
            let Value::Object(object) = conforming(object, &ty) else { return Ok(Object::default()) };
            Ok(object.into_iter().filter(|(name, _)| !is_set(name)).collect())
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers a data source that looks up objects of a resource, under its type name in configurations, such as
    /// `cloud_machine`. The resource can have the same name.
    pub fn lookup<L>(&mut self, name: impl Into<String>) -> &mut Self
    where
        L: Lookup<Resource: Resource<Provider = P>>,
    {
        let name = name.into();
        self.definition_errors.extend(definition_errors::<L>().map(|it| format!("lookup {name}: {it}")));
        self.raw_data_source(name, Arc::new(TypedLookup::<L>::default()))
    }
}

/// The errors that the compiler does not find.
fn definition_errors<L: Lookup>() -> impl Iterator<Item = String> {
    let (arguments, attributes) = (L::ty(), L::Resource::ty());
    let attribute = |name: &str| match &attributes {
        Type::Object(it) => it.get(name).map(|it| it.ty.clone()),
        _ => None,
    };
    let mut errors = Vec::new();
    if let Type::Object(arguments) = &arguments {
        for argument in arguments.attributes() {
            if let Some(ty) = attribute(&argument.name).filter(|it| *it != argument.ty) {
                let (name, found) = (&argument.name, &argument.ty);
                errors.push(format!(
                    "the argument `{name}` is {found}, but the attribute of the resource is {ty}"
                ));
            }
        }
    }
    if !L::schema().block.validators.is_empty() {
        errors.push(
            "a model with `#[attr(validate = …)]` cannot be a lookup: implement `Lookup::validate`".into(),
        );
    }
    errors.into_iter()
}
