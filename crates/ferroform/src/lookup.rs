//! The trait of data sources that return the object of a resource.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_value::{Object, Type, Value};

use crate::model::{Args, Config};
use crate::model_kinds::{NoComputedAttributes, NoReservedNames, NoWriteOnlyAttributes};
use crate::operation::{HasProvider, ReadLookup};
use crate::optional_method::NotImplemented;
use crate::raw::{AnyConfigurable as _, AnyDataSource, Definition, MethodFuture, RequestContext};
use crate::schema::{Attribute, Mode, Schema};
use crate::typed::{Typed, read, validate};
use crate::{Attr, MethodCx, Model, Provider, Registry, RequestCx, Resource, Result};

/// A data source with the attributes of a resource: its model contains only the arguments by which the practitioner looks
/// up an object.
///
/// Every other attribute of the resource is computed, with the description and sensitivity that it has in the resource.
/// An argument that is an `Option` and has the name of an attribute of the resource is optional and computed: if the
/// configuration omits it, its value is that of the object.
///
/// | method | receives | returns |
/// |---|---|---|
/// | [`validate`](Lookup::validate) | the configuration, with unknown values | the errors |
/// | [`read`](Lookup::read) | the arguments | the object |
///
/// ```
/// use ferroform::{Args, Context as _, Lookup, LookupCx, Model, Result, path};
/// # use ferroform::{ApplyCx, Known, Maybe, Planned, Provider, ReadCx, Registry, RequestCx, Resource};
///
/// # struct Cloud;
/// # impl Cloud {
/// #     async fn find(&self, _: &str) -> Result<Option<Machine>> { Ok(None) }
/// # }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(registry: &mut Registry<Self>) {
/// #         registry.resource::<Machine>("cloud_machine").lookup::<MachineByName>("cloud_machine");
/// #     }
/// # }
/// /// A virtual machine, which implements `Resource`.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(requires_replace)]
///     name: String,
///     size: u64,
///     #[attr(computed)]
///     id: String,
/// }
/// # impl Resource for Machine {
/// #     type Provider = Cloud;
/// #     async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<MachineComputed> {
/// #         Ok(MachineComputed { id: "m-1".into() })
/// #     }
/// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
/// # }
///
/// /// The arguments of the data source `cloud_machine`. `size` and `id` are computed.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct MachineByName {
///     name: String,
/// }
///
/// impl Lookup for MachineByName {
///     type Resource = Machine;
///
///     async fn read(cx: &LookupCx<Self>, args: Args<Self>) -> Result<Machine> {
///         cx.provider.find(&args.name).await?.context("No Such Machine").at(path!(name))
///     }
/// }
///
/// // In `Provider::register`: registry.lookup::<MachineByName>("cloud_machine");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a lookup",
    label = "not a lookup",
    note = "write `impl Lookup for {Self}` with `read`"
)]
pub trait Lookup: Model<__Itself: NoReservedNames + NoWriteOnlyAttributes + NoComputedAttributes> {
    /// The resource whose objects are looked up.
    type Resource: Resource;

    /// Validates the configuration as a whole. For a single argument, use `#[attr(validate = …)]`. The provider is not
    /// configured yet.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn validate(cx: &RequestCx, config: Config<Self>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        NotImplemented::new()
    }

    /// Finds the object.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read, for example that it does not exist. [`cx.defer`](crate::MethodCx::defer) defers the read.
    fn read(cx: &LookupCx<Self>, args: Args<Self>) -> impl Future<Output = Result<Self::Resource>> + Send;
}

/// The context of [`Lookup::read`] of the lookup `L`.
pub type LookupCx<L> = MethodCx<L, ReadLookup>;

impl<T: Lookup> HasProvider<ReadLookup> for T {
    type Provider = <T::Resource as Resource>::Provider;
}

/// The data source of a lookup.
struct LookupOf<L>(PhantomData<L>);

/// The arguments, and the other attributes of the resource as computed ones.
fn schema<L: Lookup>() -> Schema {
    let schema = L::schema();
    let mut attributes = L::Resource::schema().block.computed_attributes();
    let argument = |mut argument: Attribute| {
        let Some(at) = attributes.iter().position(|it| it.name() == argument.name()) else { return argument };
        let attribute = attributes.remove(at);
        if argument.mode() == Mode::Optional {
            argument = argument.optional_computed();
        }
        if !argument.has_description() {
            let (description, kind) = (attribute.full_description(), attribute.description_kind());
            argument = argument.description_of_kind(description, kind);
        }
        if attribute.is_sensitive() { argument.sensitive() } else { argument }
    };
    let block = schema.block.map_attributes(argument);
    Schema::new(block.with_attributes(attributes)).version(schema.version)
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
    match (value, ty) {
        (Value::Object(object), Type::Object(types)) => {
            let attributes = object.into_iter().filter_map(|(name, it)| {
                let ty = &types.get(&name)?.ty;
                Some((name, conforming(it, ty)))
            });
            Value::Object(attributes.collect())
        }
        (value, ty) => match ty.element() {
            Some(element) => value.map_elements(|_, it| conforming(it.clone(), element)),
            None => value,
        },
    }
}

/// Validates the arguments alone.
fn validate<L: Lookup>(context: RequestContext, config: Value) -> MethodFuture<()> {
    let validate: fn(RequestContext, Value) -> MethodFuture<()> = validate!(L, L);
    validate(context, arguments_in::<L>(config))
}

impl<L: Lookup> AnyDataSource for Typed<LookupOf<L>> {
    fn read(&self, context: RequestContext, config: Value) -> MethodFuture<Object> {
        let ty = self.schema().block.ty().clone();
        Box::pin(async move {
            let is_set = |name: &str| config.attribute(name).is_some_and(|it| !it.is_null());
            let args: Args<L> = read(&arguments_in::<L>(config.clone()), "Configuration")?;
            let object = L::read(&LookupCx::<L>::new(context)?, args).await?.to_value();
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
        let lookup = Typed::<LookupOf<L>>::new(schema::<L>, validate::<L>, ());
        self.raw(name, Definition::DataSource(Arc::new(lookup)))
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
    if !L::schema().block.validators().is_empty() {
        errors.push(
            "a model with `#[attr(validate = …)]` cannot be a lookup: implement `Lookup::validate`".into(),
        );
    }
    errors.into_iter()
}
