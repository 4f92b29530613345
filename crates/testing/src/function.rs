//! Functions under test.

use std::sync::Arc;

use ferroform::function::{FunctionError, FunctionSignature};
use ferroform::raw::AnyFunction;
use ferroform::schema::{Attribute, Block, Mode};
use ferroform::value::{Type, Typed, Value};
use ferroform::{Attr, Diagnostics};

use crate::config::evaluate;
use crate::{Configuration, Harness, Outcome};

/// A function of the provider under test; see [`Harness::function`].
///
/// Pass the arguments by parameter name. A variadic parameter takes a list.
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform_testing::config;
///
/// let exists: bool = harness.function("direxists").call(config! { path = "directory" });
/// assert!(exists);
///
/// let error = harness.function("direxists").try_call::<bool>(config! { path = "file.txt" }).error();
/// assert_eq!(error.argument, Some(0));
/// # }
/// ```
#[derive(Clone)]
pub struct Function {
    harness: Harness,
    name: String,
    function: Arc<dyn AnyFunction>,
}

impl Harness {
    /// Returns the function of this name, such as `direxists`.
    ///
    /// # Panics
    ///
    /// Panics if the provider has no function with this name.
    #[track_caller]
    pub fn function(&self, name: &str) -> Function {
        Function { harness: self.clone(), name: name.into(), function: self.find(name) }
    }
}

impl Function {
    /// Calls the function and returns its result. A result that can be null is an `Option`, and one that can be unknown
    /// is a `Maybe`.
    ///
    /// # Panics
    ///
    /// Panics if the function returns an error, if the arguments do not match the parameters, or if `T` cannot hold the
    /// result.
    #[track_caller]
    pub fn call<T: Attr>(&self, arguments: Configuration) -> T {
        self.try_call(arguments).ok()
    }

    /// Like [`call`](Function::call), but returns the outcome, with the error of the function, instead of panicking.
    ///
    /// # Panics
    ///
    /// Panics if the arguments do not match the parameters, or if `T` cannot hold the result.
    #[track_caller]
    pub fn try_call<T: Attr>(&self, arguments: Configuration) -> Outcome<T, FunctionError> {
        let step = format!("the call of {}", self.name);
        let result = self.run_call(&step, &arguments).map(|result| {
            T::from_value(&result)
                .unwrap_or_else(|error| panic!("the result of {} is {result:?}: {error}", self.name))
        });
        Outcome::new(&self.harness, step, result)
    }

    /// Calls the function as Terraform does: it is not called with a null or unknown argument that its parameter does
    /// not accept.
    #[track_caller]
    fn run_call(&self, step: &str, arguments: &Configuration) -> Result<Value, FunctionError> {
        let signature = self.function.signature();
        let arguments = positional(signature, arguments)
            .unwrap_or_else(|errors| panic!("the arguments of {} are invalid: {errors}", self.name));
        self.call_values(step, &arguments)
    }

    /// Calls the function with one value for each argument.
    #[track_caller]
    pub(crate) fn call_values(&self, step: &str, arguments: &[Value]) -> Result<Value, FunctionError> {
        let signature = self.function.signature();
        let mut received = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let Some(parameter) = signature.parameter_at(position) else { continue };
            if argument.is_null() && parameter.mode() == Mode::Required {
                return Err(FunctionError::at("argument must not be null", position));
            }
            if !argument.is_wholly_known() && !signature.unknown_allowed.contains(parameter.name()) {
                return Ok(Value::UNKNOWN);
            }
            received.push(argument.clone());
        }
        self.harness.run_function(step, &self.name, &*self.function, received)
    }
}

impl Harness {
    /// Sends CallFunction. Each argument has the type of its parameter.
    #[track_caller]
    pub(crate) fn run_function(
        &self,
        step: &str,
        name: &str,
        function: &dyn AnyFunction,
        arguments: Vec<Value>,
    ) -> Result<Value, FunctionError> {
        let signature = function.signature();
        let received = arguments.into_iter().enumerate().map(|(position, it)| {
            signature
                .parameter_at(position)
                .map_or_else(|| it.clone(), |to| self.round_trip(step, &it, to.ty()))
        });
        let received = received.collect();
        let result = self.run(step, self.server().call_function(name, received), |_| ())?;
        Ok(self.round_trip(step, &result, &signature.result))
    }
}

/// The elements of a tuple as dynamic values.
fn dynamic_elements(tuple: &Typed) -> Vec<Value> {
    let (Type::Tuple(types), Value::Tuple(elements)) = (&tuple.ty, &tuple.value) else { return Vec::new() };
    let typed = types.iter().zip(elements);
    typed.map(|(ty, value)| Value::dynamic(ty.clone(), value.clone())).collect()
}

/// The arguments in the order of the parameters.
fn positional(signature: &FunctionSignature, arguments: &Configuration) -> Result<Vec<Value>, Diagnostics> {
    let optional = |it: &Attribute| it.clone().optional();
    let mut block = Block::new().with_attributes(signature.positional_parameters().iter().map(optional));
    if let Some(parameter) = signature.variadic_parameter() {
        // The elements of a list of dynamic values would need one type.
        let ty =
            if parameter.ty().has_dynamic() { Type::Dynamic } else { Type::list(parameter.ty().clone()) };
        block = block.attribute(Attribute::raw(parameter.name().clone(), ty).optional());
    }
    let object = evaluate(&block, arguments)?;
    let value = |it: &Attribute| object.attribute(it.name()).cloned().unwrap_or(Value::Null);
    let mut all: Vec<Value> = signature.positional_parameters().iter().map(value).collect();
    if let Some(parameter) = signature.variadic_parameter() {
        match value(parameter) {
            Value::List(elements) => all.extend(elements),
            Value::Dynamic(typed) => all.extend(dynamic_elements(&typed)),
            _ => {}
        }
    }
    Ok(all)
}
