//! Provider-defined functions.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};
use std::vec;

pub use ferroform_engine::function::{FunctionError, FunctionSignature};
use ferroform_value::{Path, Step, Type, Value};

use crate::raw::{AnyFunction, Definition, MethodFuture, RequestContext};
use crate::{Attr, Diagnostics, Provider, Registry, RequestCx, Result};

/// The parameters of a [`Function`]: the fields of a struct, in their order. Implement it with
/// [`#[derive(Parameters)]`](derive@crate::Parameters).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `Parameters`",
    label = "not a struct of parameters",
    note = "write `#[derive(Parameters)]` above `{Self}`"
)]
pub trait Parameters: Sized + Send + 'static {
    /// The signature of a function with these parameters and this type of result.
    fn signature(result: Type) -> FunctionSignature;

    /// Reads the arguments of a call.
    ///
    /// # Errors
    ///
    /// An argument that its Rust type cannot hold, with the name of its parameter as the path.
    fn from_arguments(arguments: Arguments) -> Result<Self>;
}

/// A provider-defined function, such as `provider::local::direxists(path)`. The fields of the struct are its parameters.
///
/// Terraform 1.8 and OpenTofu 1.7 or later call the functions of a provider, even before it is configured. A function
/// must return equal results for equal arguments: Terraform may call it any number of times.
///
/// ```
/// use ferroform::{Diagnostic, Function, Parameters, RequestCx, Result, path};
///
/// /// Joins strings with a separator.
/// #[derive(Parameters)]
/// struct Join {
///     /// The separator, which is not empty.
///     separator: String,
///     /// The strings. Null is skipped.
///     #[attr(variadic)]
///     items: Vec<Option<String>>,
/// }
///
/// impl Function for Join {
///     type Output = String;
///
///     async fn call(self, _: &RequestCx) -> Result<String> {
///         if self.separator.is_empty() {
///             // Terraform points at the first argument.
///             return Err(Diagnostic::error("the separator is empty").at(path!(separator)).into());
///         }
///         Ok(self.items.into_iter().flatten().collect::<Vec<_>>().join(&self.separator))
///     }
/// }
///
/// // In `Provider::register`: registry.function::<Join>("join");
/// ```
pub trait Function: Parameters {
    /// The result. It can be null if this is an `Option`, unknown if it is a `Maybe`, and of any type if it is a
    /// [`Dynamic`](crate::attr::Dynamic). A `struct` with [`#[derive(Model)]`](derive@crate::Model) is an object, whose
    /// attributes are listed in the description of the function.
    type Output: Attr;

    /// Calls the function with the arguments in the fields. The provider may not be configured, so the context has no
    /// provider.
    ///
    /// # Errors
    ///
    /// The reason why there is no result. With the path of a field, `.at(path!(separator))`, Terraform points at the
    /// argument; `path!(items[1])` is the second argument of a variadic parameter. The protocol has no warnings.
    fn call(self, cx: &RequestCx) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// The arguments of a call. The derive of [`Parameters`] reads them in the order of the parameters.
#[derive(Debug)]
pub struct Arguments(vec::IntoIter<Value>);

impl Arguments {
    /// The arguments with these values.
    pub fn new(values: Vec<Value>) -> Arguments {
        Arguments(values.into_iter())
    }

    /// Reads the next argument.
    ///
    /// # Errors
    ///
    /// If there is none, or if `T` cannot hold it. The path is the name of the parameter.
    pub fn next<T: Attr>(&mut self, name: &'static str) -> Result<T> {
        let value = self.0.next().unwrap_or(Value::Null);
        T::from_value(&value).map_err(|it| Diagnostics::from(it).at(Path::attribute(name)))
    }

    /// Reads all other arguments.
    ///
    /// # Errors
    ///
    /// If `T` cannot hold an argument. The path consists of the name of the parameter and the index.
    pub fn rest<T: Attr>(&mut self, name: &'static str) -> Result<Vec<T>> {
        let read = |(index, value): (usize, Value)| {
            let at = |it| Diagnostics::from(it).at(Path::attribute(name).then(Step::Index(index)));
            T::from_value(&value).map_err(at)
        };
        self.0.by_ref().enumerate().map(read).collect()
    }
}

/// The function of the engine for a type of the author.
struct TypedFunction<F> {
    signature: LazyLock<FunctionSignature>,
    object: PhantomData<fn() -> F>,
}

impl<F: Function> Default for TypedFunction<F> {
    fn default() -> Self {
        let signature = || {
            let signature = F::signature(F::Output::ty());
            match F::Output::nested() {
                Some(result) => signature.describe_result(result.block()),
                None => signature,
            }
        };
        TypedFunction { signature: LazyLock::new(signature), object: PhantomData }
    }
}

impl<F: Function> AnyFunction for TypedFunction<F> {
    fn signature(&self) -> &FunctionSignature {
        &self.signature
    }

    fn call(&self, context: RequestContext, arguments: Vec<Value>) -> MethodFuture<Value> {
        Box::pin(async move {
            let function = F::from_arguments(Arguments::new(arguments))?;
            Ok(function.call(&context.into()).await?.to_value())
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers a function under its name: `provider::local::direxists` is registered as `direxists`.
    pub fn function<F: Function>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw(name, Definition::Function(Arc::new(TypedFunction::<F>::default())))
    }
}
