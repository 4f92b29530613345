//! ImportResourceState: creates a state for an existing remote object.
//! The object is named by an import ID, or by its identity in an `import` block. The engine tries the import patterns
//! of the resource first, then its `import` method. Values that the ID does not contain are placeholders until the next
//! read, which Terraform performs directly after the import.
//!
//! Example: the resource has the import pattern `{project}/{name}` and the attributes `project`, `name` and `size`.
//!
//! ```text
//! import ID  web/a
//! state      { project = "web", name = "a", size = null }
//! ```

use ferroform_value::{Error, Type, Typed, Value};

use crate::provider::{AnyResource, MethodFuture};
use crate::request::context::not_configured;
use crate::request::private_state::Private;
use crate::resource_identity::{ResourceIdentity, known_identity, missing_identity_error};
use crate::rpc::respond::response;
use crate::run_method::{Effect, run};
use crate::schema::{Attribute, Block, IdentitySchema, ImportPattern, Mode};
use crate::state::overlay;
use crate::type_mismatch;
use crate::{
    Deferral, Diagnostic, Diagnostics, ProviderServer, RequestContext, Result, RpcMetadata, contract,
};

/// An object to import: by its identity if that is set, otherwise by its import ID.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// The resource type.
    pub type_name: String,
    /// The import ID.
    pub id: String,
    /// The identity, with null for omitted attributes; `None` for an import by ID.
    pub identity: Option<Value>,
    /// The metadata of the RPC.
    pub metadata: RpcMetadata,
}

/// The result of an import. Terraform reads the object next.
#[derive(Clone, Debug, Default)]
pub struct ImportResponse {
    /// The state, as far as the ID or the identity determines it; unknown if the import is deferred.
    pub state: Option<Value>,
    /// The private state.
    pub private: Vec<u8>,
    /// The identity, as far as it is known.
    pub identity: Option<Value>,
    /// The reason for the deferral, if the import is deferred.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

response!(ImportResponse, state);

impl ProviderServer {
    /// Imports an existing object.
    pub async fn import_resource_state(&self, request: ImportRequest) -> ImportResponse {
        let operation = format!("the import of {}", request.type_name);
        let (resource, masked) =
            self.mask_request::<dyn AnyResource>(&request.type_name, &request.metadata, []);
        masked
            .respond(&operation, ImportResponse::default(), async |response, sensitive| {
                sensitive.add_visible([request.id.as_str()]);
                request.identity.iter().for_each(|it| sensitive.add_visible_value(it));
                let resource = resource?;
                response.deferred = self.deferral_reason(&request.metadata, false);
                if response.deferred.is_some() {
                    response.state = Some(Value::UNKNOWN);
                    return Ok(());
                }
                // Only a read can determine whether the object exists, and a read requires a configured provider.
                if self.is_provider_skipped() {
                    return Err(not_configured().into());
                }
                let identity = request.identity.filter(|it| !it.is_null());
                let cx = self.request_context(sensitive, &request.metadata)?;
                let cx = cx.with_private(Private::default()).with_identity(identity.as_ref());
                let type_name = &request.type_name;
                let import =
                    Importing { resource: &*resource, type_name, operation: &operation, cx, response };
                match identity {
                    Some(identity) => import.by_identity(identity).await,
                    None => import.by_id(request.id).await,
                }
            })
            .await
    }
}

/// The state of one import request.
struct Importing<'a> {
    resource: &'a dyn AnyResource,
    type_name: &'a str,
    /// Part of a sentence: `the import of cloud_server`.
    operation: &'a str,
    cx: RequestContext,
    response: &'a mut ImportResponse,
}

impl Importing<'_> {
    async fn by_id(mut self, id: String) -> Result<()> {
        let Importing { resource, type_name, .. } = self;
        let has_method = resource.capabilities().import;
        match object_of_pattern(resource, &id) {
            Ok(Some(object)) => {
                self.response.identity =
                    resource.identity().and_then(|schema| known_identity(schema, &object));
                self.finish(object);
                return Ok(());
            }
            Err(error) if !has_method => {
                let detail = format!("The import ID {id:?} of {type_name} does not have the form {error}.");
                return Err(Diagnostic::error("Invalid Import ID").detail(detail).into());
            }
            Ok(None) if !has_method => return Err(not_importable(type_name, resource.identity())),
            Ok(None) | Err(_) => {}
        }
        let is_empty = id.is_empty();
        let Some(state) = self.call(resource.import(self.cx.clone(), id)).await else { return Ok(()) };
        let is_missing = self.is_without_attributes(&state);
        if is_missing && is_empty {
            self.finish(Value::Null);
            return Ok(());
        }
        self.check(&state, is_missing)?;
        let cx = self.cx.clone();
        if let Some(identity) = ResourceIdentity::new(resource, &cx) {
            self.response.identity =
                identity.after_operation("Import", None, &state, &mut self.response.diagnostics).await;
        }
        self.finish(state);
        Ok(())
    }

    /// Imports an object by its identity, which has null for omitted attributes.
    async fn by_identity(mut self, identity: Value) -> Result<()> {
        let Importing { resource, type_name, .. } = self;
        let schema = resource.identity().ok_or_else(|| missing_identity_error(type_name))?;
        let errors = missing_attributes(type_name, schema, &identity);
        if !errors.is_empty() {
            return Err(errors);
        }
        let object = if resource.capabilities().import_by_identity {
            let method = resource.import_by_identity(self.cx.clone(), identity.clone());
            let Some(state) = self.call(method).await else { return Ok(()) };
            self.check(&state, self.is_without_attributes(&state))?;
            state
        } else {
            self.object_of(schema, &identity)?
        };
        let identity = self.cx.new_identity().unwrap_or(identity);
        let violations = contract::check_type(&schema.block, &identity);
        if !violations.is_empty() {
            return Err(violations);
        }
        self.response.identity = Some(identity);
        self.finish(object);
        Ok(())
    }

    /// Calls a method of the provider, and returns its state; `None` if it has failed or deferred the import.
    async fn call(&mut self, method: MethodFuture<Value>) -> Option<Value> {
        let diagnostics = &mut self.response.diagnostics;
        let state = run(&self.cx, self.operation, Effect::Reads, method, diagnostics).await;
        self.response.deferred = self.cx.allowed_deferral();
        if state.is_none() {
            self.response.state = self.response.deferred.map(|_| Value::UNKNOWN);
        }
        Some(overlay::without_write_only(self.block(), &state?))
    }

    fn block(&self) -> &Block {
        &self.resource.schema().block
    }

    fn is_without_attributes(&self, state: &Value) -> bool {
        let attributes = self.block().attributes();
        let is_null = |it: &Attribute| state.attribute(&it.name).is_none_or(Value::is_null);
        !attributes.is_empty() && attributes.iter().all(is_null)
    }

    /// Checks the state that a method of the provider has returned.
    fn check(&self, state: &Value, is_missing: bool) -> Result<()> {
        if is_missing {
            let message =
                format!("The import of {} returned an object with no attributes set", self.type_name);
            return Err(contract::provider_bug("Missing Resource Import State", message).into());
        }
        let violations = contract::check_state(self.block(), state);
        if violations.is_empty() { Ok(()) } else { Err(violations) }
    }

    /// The object with the identity attributes of the same names.
    fn object_of(&self, schema: &IdentitySchema, identity: &Value) -> Result<Value> {
        let mut object = self.block().object_of(&Value::Null);
        let mut errors = Diagnostics::new();
        for identity_attribute in schema.block.attributes() {
            let value = identity.attribute(&identity_attribute.name).filter(|it| !it.is_null());
            let (Some(value), Some(attribute)) = (value, self.block().get(&identity_attribute.name)) else {
                continue;
            };
            match check_value(attribute, value) {
                Ok(()) => set(&mut object, attribute, value.clone()),
                Err(error) => errors.push(Diagnostic::error(INVALID_IDENTITY).detail(format!(
                    "The attribute \"{}\" of the identity of {}, version {}, is invalid: {}.",
                    identity_attribute.name,
                    self.type_name,
                    schema.version,
                    type_mismatch::message(&error)
                ))),
            }
        }
        if errors.is_empty() { Ok(object) } else { Err(errors) }
    }

    /// Sets the state, with placeholders for missing values, and marks the object as imported.
    fn finish(&mut self, object: Value) {
        let mut private = self.cx.take_private();
        private.mark_imported();
        self.response.private = private.encode();
        self.response.state = Some(overlay::with_placeholders(self.block(), &object));
    }
}

const INVALID_IDENTITY: &str = "Invalid Import Identity";

/// The errors about attributes that an identity lacks.
fn missing_attributes(type_name: &str, schema: &IdentitySchema, identity: &Value) -> Diagnostics {
    let is_null = |it: &&Attribute| identity.attribute(&it.name).is_none_or(Value::is_null);
    let all = schema.block.attributes();
    let missing: Vec<&Attribute> =
        all.iter().filter(|it| it.mode == Mode::Required).filter(is_null).collect();
    let mut errors = Diagnostics::new();
    for attribute in &missing {
        let detail = format!("The identity of {type_name} requires the attribute \"{}\".", attribute.name);
        errors.push(Diagnostic::error(INVALID_IDENTITY).detail(detail));
    }
    if missing.is_empty() && all.iter().all(|it| is_null(&it)) {
        let names: Vec<String> = all.iter().map(|it| format!("\"{}\"", it.name)).collect();
        let detail = format!(
            "The identity of {type_name} requires at least one of these attributes: {}.",
            names.join(", ")
        );
        errors.push(Diagnostic::error(INVALID_IDENTITY).detail(detail));
    }
    errors
}

/// The object with the attributes of the first import pattern that matches; `None` if the resource has no patterns.
///
/// # Errors
///
/// Returns the required forms, and the first part that does not fit, for the end of a sentence.
fn object_of_pattern(resource: &dyn AnyResource, id: &str) -> Result<Option<Value>, String> {
    let block = &resource.schema().block;
    let patterns = resource.import_patterns();
    let mut conversion_error: Option<String> = None;
    for parts in patterns.iter().filter_map(|it| it.read(id)) {
        let mut object = block.object_of(&Value::Null);
        // The check of the definition has reported names without an attribute.
        let mut parts = parts.into_iter().filter_map(|(name, part)| Some((block.get(name)?, part)));
        let converted = parts.try_for_each(|(attribute, part)| {
            let value = Typed { ty: Type::String, value: Value::string(&*part) }.fit(attribute.ty());
            // An error about the conversion of the string does not contain it.
            let value = value.map_err(|it| format!("{}, but got {part:?}", it.message()));
            let checked = value.and_then(|it| match check_value(attribute, &it) {
                Ok(()) => Ok(it),
                Err(error) => Err(error.message().to_owned()),
            });
            let value = checked.map_err(|message| format!("for \"{}\", {message}", attribute.name))?;
            set(&mut object, attribute, value);
            Ok(())
        });
        match converted {
            Ok(()) => return Ok(Some(object)),
            Err(error) => conversion_error = conversion_error.or(Some(error)),
        }
    }
    let expected: Vec<String> =
        patterns.iter().flat_map(ImportPattern::forms).map(|it| format!("{it:?}")).collect();
    match conversion_error {
        _ if expected.is_empty() => Ok(None),
        Some(error) => Err(format!("{}: {error}", expected.join(" or "))),
        None => Err(expected.join(" or ")),
    }
}

fn check_value(attribute: &Attribute, value: &Value) -> Result<(), Error> {
    attribute.value_check().map_or(Ok(()), |check| check(value))
}

fn set(object: &mut Value, attribute: &Attribute, value: Value) {
    if let Value::Object(object) = object {
        object.insert(attribute.name.clone(), value);
    }
}

fn not_importable(type_name: &str, identity: Option<&IdentitySchema>) -> Diagnostics {
    let detail = match identity {
        Some(_) => {
            format!("{type_name} cannot be imported by ID. Import it by its identity, with an import block.")
        }
        None => format!("{type_name} does not support import."),
    };
    Diagnostic::error("Resource Import Not Implemented").detail(detail).into()
}
