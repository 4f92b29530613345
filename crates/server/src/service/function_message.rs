//! Functions on the wire, for both protocols: their signatures, and CallFunction.
//!
//! | engine | message |
//! |---|---|
//! | `FunctionSignature` | `Function`: `Parameter` messages, with the type as JSON, and the type of the result |
//! | argument | `DynamicValue` of the parameter's type |
//! | `FunctionError` | `FunctionError`: the text and the position of the argument |

use std::collections::BTreeMap;

use ferroform_engine::function::{FunctionError, FunctionSignature};
use ferroform_engine::provider::AnyFunction;
use ferroform_engine::schema::{Attribute, Mode};
use ferroform_proto::tfplugin6::function::{Parameter, Return};
use ferroform_proto::tfplugin6::{self as wire, DynamicValue, Function};
use ferroform_value::Value;

use super::Service;
use super::convert::{decode, write};
use super::schema::{kind, type_expression};
use crate::log::annotate;

impl Service {
    /// The signatures of all functions.
    pub(super) fn functions(&self) -> BTreeMap<String, Function> {
        let all = self.server.provider().definitions().of_kind::<dyn AnyFunction>();
        all.map(|(name, it)| (name.to_owned(), function(it.signature()))).collect()
    }

    /// Calls a function and encodes its result.
    pub(super) async fn call_function_inner(
        &self,
        request: wire::call_function::Request,
    ) -> Result<DynamicValue, FunctionError> {
        annotate("tf_function_name", &request.name);
        let function = self.server.function(&request.name)?.clone();
        let signature = function.signature();
        let arguments = decode_arguments(signature, &request.arguments)?;
        let result = self.server.call_function(&request.name, arguments).await?;
        write(&result, &signature.result).map_err(|it| FunctionError::new(it.to_string()))
    }
}

/// Decodes the arguments. The engine reports a wrong number of arguments.
fn decode_arguments(
    signature: &FunctionSignature,
    arguments: &[DynamicValue],
) -> Result<Vec<Value>, FunctionError> {
    let decoded = arguments.iter().enumerate().map(|(position, argument)| {
        let Some(parameter) = signature.parameter_at(position) else { return Ok(Value::Null) };
        decode(argument, parameter.ty()).map_err(|error| {
            FunctionError::at(format!("Unable to Convert Function Argument: {error}"), position)
        })
    });
    decoded.collect()
}

/// Encodes a signature.
fn function(it: &FunctionSignature) -> Function {
    let encode = |parameter: &Attribute| self::parameter(it, parameter);
    Function {
        parameters: it.positional_parameters().iter().map(encode).collect(),
        variadic_parameter: it.variadic_parameter().map(encode),
        r#return: Some(Return { r#type: type_expression(&it.result) }),
        summary: it.summary.clone(),
        description: it.parameters.full_description().to_owned(),
        description_kind: kind(it.parameters.description_kind()),
        deprecation_message: it.parameters.deprecation().unwrap_or_default().to_owned(),
    }
}

fn parameter(signature: &FunctionSignature, it: &Attribute) -> Parameter {
    Parameter {
        name: it.name().to_string(),
        r#type: type_expression(it.ty()),
        allow_null_value: it.mode() != Mode::Required,
        allow_unknown_values: signature.unknown_allowed.contains(it.name()),
        description: it.full_description(),
        description_kind: kind(it.description_kind()),
    }
}

/// Encodes the error of a call.
pub(super) fn function_error(it: FunctionError) -> wire::FunctionError {
    let function_argument = it.argument.and_then(|it| i64::try_from(it).ok());
    wire::FunctionError { text: it.text, function_argument }
}
