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

use crate::provider::AnyResource;
use crate::redaction::SensitiveValues;
use crate::request::context::not_configured;
use crate::request::private_state::Private;
use crate::resource_identity::{ResourceIdentity, missing_identity_error};
use crate::rpc::respond::response;
use crate::run_method::{Effect, run};
use crate::schema::{Attribute, IdentitySchema, ImportPattern, Mode};
use crate::state::overlay;
use crate::{Deferral, Diagnostic, Diagnostics, ProviderServer, Result, RpcMetadata, contract};

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
                match &request.identity {
                    _ if response.deferred.is_some() => {
                        response.state = Some(Value::UNKNOWN);
                        Ok(())
                    }
                    // Only a read can find out whether the object exists, and that needs the provider.
                    _ if self.is_provider_skipped() => Err(not_configured().into()),
                    Some(identity) if !identity.is_null() => {
                        import_by_identity(&*resource, &request.type_name, identity, response)
                    }
                    _ => self.import_by_id(&*resource, &request, &operation, sensitive, response).await,
                }
            })
            .await
    }

    async fn import_by_id(
        &self,
        resource: &dyn AnyResource,
        request: &ImportRequest,
        operation: &str,
        sensitive: &SensitiveValues,
        response: &mut ImportResponse,
    ) -> Result<()> {
        let ImportRequest { type_name, id, metadata, .. } = request;
        let has_method = resource.capabilities().import;
        let cx = self.request_context(sensitive, metadata)?.with_private(Private::default());
        let identity = ResourceIdentity::new(resource, &cx);
        match object_of_pattern(resource, id) {
            Ok(Some(object)) => {
                response.identity = identity.and_then(|it| it.known_identity(&object));
                response.finish(resource, object, Private::default());
                return Ok(());
            }
            Err(error) if !has_method => {
                let detail = format!("{id:?} is not an import ID of {type_name}: {error}.");
                return Err(Diagnostic::error("Invalid Import ID").detail(detail).into());
            }
            Ok(None) if !has_method => return Err(not_importable(type_name, resource.identity())),
            Ok(None) | Err(_) => {}
        }
        let method = resource.import(cx.clone(), id.to_owned());
        let state = run(&cx, operation, Effect::Reads, method, &mut response.diagnostics).await;
        response.deferred = cx.allowed_deferral();
        let Some(state) = state else {
            response.state = response.deferred.map(|_| Value::UNKNOWN);
            return Ok(());
        };
        let block = &resource.schema().block;
        let state = overlay::without_write_only(block, &state);
        let private = cx.take_private();
        let is_set = |it: &Attribute| state.attribute(&it.name).is_some_and(|it| !it.is_null());
        if !block.attributes().is_empty() && !block.attributes().iter().any(is_set) {
            if id.is_empty() {
                response.finish(resource, Value::Null, private);
                return Ok(());
            }
            let detail = format!("The import of {type_name} returned an object with no attributes set.");
            return Err(Diagnostic::error("Missing Resource Import State").detail(detail).into());
        }
        let violations = contract::check_state(block, &state);
        if !violations.is_empty() {
            return Err(violations);
        }
        if let Some(identity) = identity {
            response.identity =
                identity.after_operation("Import", None, &state, &mut response.diagnostics).await;
        }
        response.finish(resource, state, private);
        Ok(())
    }
}

fn import_by_identity(
    resource: &dyn AnyResource,
    type_name: &str,
    identity: &Value,
    response: &mut ImportResponse,
) -> Result<()> {
    let schema = resource.identity().ok_or_else(|| missing_identity_error(type_name))?;
    let block = &resource.schema().block;
    let mut object = block.object_of(&Value::Null);
    let mut errors = missing_attributes(type_name, schema, identity);
    for identity_attribute in schema.block.attributes() {
        let value = identity.attribute(&identity_attribute.name).filter(|it| !it.is_null());
        let (Some(value), Some(attribute)) = (value, block.get(&identity_attribute.name)) else {
            continue;
        };
        match check_value(attribute, value) {
            Ok(()) => set(&mut object, attribute, value.clone()),
            Err(error) => errors.push(Diagnostic::error(INVALID_IDENTITY).detail(format!(
                "The attribute \"{}\" of the identity of {type_name}, version {}, is invalid: {}.",
                identity_attribute.name,
                schema.version,
                error.message()
            ))),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    response.identity = Some(identity.clone());
    response.finish(resource, object, Private::default());
    Ok(())
}

impl ImportResponse {
    /// Sets the state, with placeholders for missing values, and marks the object as imported.
    fn finish(&mut self, resource: &dyn AnyResource, object: Value, mut private: Private) {
        private.mark_imported();
        self.private = private.encode();
        self.state = Some(overlay::with_placeholders(&resource.schema().block, &object));
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
fn object_of_pattern(resource: &dyn AnyResource, id: &str) -> Result<Option<Value>, Error> {
    let block = &resource.schema().block;
    let patterns = resource.import_patterns();
    let mut conversion_error: Option<Error> = None;
    for parts in patterns.iter().filter_map(|it| it.read(id)) {
        let mut object = block.object_of(&Value::Null);
        // The check of the definition has reported names without an attribute.
        let mut parts = parts.into_iter().filter_map(|(name, part)| Some((block.get(name)?, part)));
        let converted = parts.try_for_each(|(attribute, part)| {
            let value = Typed { ty: Type::String, value: Value::string(part) }.fit(attribute.ty());
            let value = value.and_then(|it| check_value(attribute, &it).map(|()| it));
            let value =
                value.map_err(|error| Error::new(format!("\"{}\": {}", attribute.name, error.message())))?;
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
        Some(error) => Err(Error::new(format!("expected {}, but {error}", expected.join(" or ")))),
        None => Err(Error::new(format!("expected {}", expected.join(" or ")))),
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
