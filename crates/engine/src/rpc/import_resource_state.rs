//! ImportResourceState.

use ferroform_value::{Error, Type, Typed, Value};

use crate::provider::AnyResource;
use crate::request::context::not_configured;
use crate::request::private_state::Private;
use crate::resource_identity::{Identified, without_identity};
use crate::run_method::{Effect, guarded, run};
use crate::schema::{Attribute, IdentitySchema, Mode};
use crate::state::overlay;
use crate::{Caller, ProviderServer, contract};
use crate::{Deferral, Diagnostic, Diagnostics, Result};

/// What is to be imported: by its id, or else by its identity.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// The resource.
    pub type_name: String,
    /// The import id.
    pub id: String,
    /// What the object is known by, with null for the parts that are left out; none where it is found by the id.
    pub identity: Option<Value>,
    /// What comes along.
    pub caller: Caller,
}

/// What was found. The host reads it next.
#[derive(Clone, Debug, Default)]
pub struct ImportResponse {
    /// The object, as far as the id or the identity tells; not known where the import is put off.
    pub state: Option<Value>,
    /// What the provider keeps beside the state.
    pub private: Vec<u8>,
    /// What the object is known by, as far as that is known.
    pub identity: Option<Value>,
    /// Why it is put off, where it is.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ProviderServer {
    /// Finds an object that exists already.
    pub async fn import(&self, request: ImportRequest) -> ImportResponse {
        let mut response = ImportResponse::default();
        if self.resource(&request.type_name).is_ok() {
            response.deferred = self.put_off(&request.caller, false);
        }
        if response.deferred.is_some() {
            response.state = Some(Value::UNKNOWN);
            return response;
        }
        let found = guarded(&format!("the import of {}", request.type_name), async {
            match &request.identity {
                // An id or an identity that looks right says nothing of whether there is such an object.
                _ if self.passes_over() => Err(not_configured().into()),
                Some(identity) if !identity.is_null() => {
                    self.import_known_by(&request.type_name, identity, &mut response)
                }
                _ => self.import_by_id(&request, &mut response).await,
            }
        })
        .await;
        response.diagnostics.take(found);
        response
    }

    fn import_known_by(
        &self,
        type_name: &str,
        identity: &Value,
        response: &mut ImportResponse,
    ) -> Result<()> {
        let resource = self.resource(type_name)?;
        let schema = resource.identity().ok_or_else(|| without_identity(type_name))?;
        let block = &resource.schema().block;
        let mut object = block.object_of(&Value::Null);
        let mut faults = missing(type_name, schema, identity);
        for part in &schema.block.attributes {
            let given = identity.attribute(&part.name).filter(|it| !it.is_null());
            let (Some(given), Some(attribute)) = (given, block.get(&part.name)) else { continue };
            match fits(attribute, given) {
                Ok(()) => put(&mut object, attribute, given.clone()),
                Err(error) => faults.push(Diagnostic::error(INVALID_IDENTITY).detail(format!(
                    "{}: {}.",
                    part.name,
                    error.message()
                ))),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        response.identity = Some(identity.clone());
        response.finish(&**resource, object, Private::default())
    }

    async fn import_by_id(&self, request: &ImportRequest, response: &mut ImportResponse) -> Result<()> {
        let ImportRequest { type_name, id, caller, .. } = request;
        let resource = self.resource(type_name)?.clone();
        let by_code = resource.abilities().import;
        let call = self.call(caller)?;
        let identified = Identified::new(&*resource, &call);
        match by_pattern(&*resource, id) {
            Ok(Some(object)) => {
                response.identity = identified.and_then(|it| it.so_far(&object));
                return response.finish(&*resource, object, Private::default());
            }
            Err(error) if !by_code => {
                let detail = format!("{id:?} is no import id of {type_name}: {error}.");
                return Err(Diagnostic::error("Invalid Import ID").detail(detail).into());
            }
            Ok(None) if !by_code => return Err(not_importable(type_name, resource.identity())),
            Ok(None) | Err(_) => {}
        }
        let what = format!("The import of {type_name}");
        let answer = resource.import(call.clone(), id.to_owned());
        let state = run(&call, &what, Effect::Reads, answer, &mut response.diagnostics).await;
        response.deferred = call.allowed_deferral();
        let Some(state) = state else {
            response.state = response.deferred.map(|_| Value::UNKNOWN);
            return Ok(());
        };
        let block = &resource.schema().block;
        let state = overlay::without_write_only(block, &state);
        let private = call.take_private();
        let has = |it: &&Attribute| state.attribute(&it.name).is_some_and(|it| !it.is_null());
        if !block.attributes.is_empty() && block.attributes.iter().find(has).is_none() {
            if id.is_empty() {
                return response.finish(&*resource, Value::Null, private);
            }
            let detail = format!("The import of {type_name} answered an object in which nothing is set.");
            return Err(Diagnostic::error("Missing Resource Import State").detail(detail).into());
        }
        let broken = contract::state(block, &state);
        if !broken.is_empty() {
            return Err(broken);
        }
        if let Some(it) = identified {
            response.identity = it.after("Import", None, &state, &mut response.diagnostics).await;
        }
        response.finish(&*resource, state, private)
    }
}

impl ImportResponse {
    /// Answers the object with something in every place: the next read finds out the rest.
    fn finish(&mut self, resource: &dyn AnyResource, object: Value, mut private: Private) -> Result<()> {
        private.mark_imported();
        self.private = private.encode();
        self.state = Some(overlay::settle(&resource.schema().block, &object));
        Ok(())
    }
}

const INVALID_IDENTITY: &str = "Invalid Import Identity";

/// What is wrong with an identity in which too little is given.
fn missing(type_name: &str, schema: &IdentitySchema, identity: &Value) -> Diagnostics {
    let is_null = |it: &&Attribute| identity.attribute(&it.name).is_none_or(Value::is_null);
    let all = &schema.block.attributes;
    let lacking: Vec<&Attribute> =
        all.iter().filter(|it| it.mode == Mode::Required).filter(is_null).collect();
    let mut found = Diagnostics::new();
    for it in &lacking {
        let detail = format!("{type_name} cannot be found without \"{}\".", it.name);
        found.push(Diagnostic::error(INVALID_IDENTITY).detail(detail));
    }
    if lacking.is_empty() && all.iter().all(|it| is_null(&it)) {
        let names: Vec<String> = all.iter().map(|it| format!("\"{}\"", it.name)).collect();
        let detail = format!("Nothing is given of what {type_name} is known by: {}.", names.join(", "));
        found.push(Diagnostic::error(INVALID_IDENTITY).detail(detail));
    }
    found
}

/// The object that the id tells of; none where the resource has no patterns.
fn by_pattern(resource: &dyn AnyResource, id: &str) -> std::result::Result<Option<Value>, Error> {
    let block = &resource.schema().block;
    let patterns = resource.import_patterns();
    let mut misfit: Option<Error> = None;
    for parts in patterns.iter().filter_map(|it| it.read(id)) {
        let mut object = block.object_of(&Value::Null);
        // A name that is no attribute's is a fault of the definition, found before anything is imported.
        let mut parts = parts.into_iter().filter_map(|(name, text)| Some((block.get(name)?, text)));
        let put = parts.try_for_each(|(attribute, text)| {
            let value = Typed { ty: Type::String, value: Value::string(text) }.fit(&attribute.ty);
            let value = value.and_then(|it| fits(attribute, &it).map(|()| it));
            let value =
                value.map_err(|error| Error::new(format!("\"{}\": {}", attribute.name, error.message())))?;
            put(&mut object, attribute, value);
            Ok(())
        });
        match put {
            Ok(()) => return Ok(Some(object)),
            Err(error) => misfit = misfit.or(Some(error)),
        }
    }
    let looks: Vec<String> = patterns.iter().map(|it| format!("\"{it}\"")).collect();
    match misfit {
        _ if looks.is_empty() => Ok(None),
        Some(error) => Err(Error::new(format!("{} is expected, but {error}", looks.join(" or ")))),
        None => Err(Error::new(format!("{} is expected", looks.join(" or ")))),
    }
}

fn fits(attribute: &Attribute, value: &Value) -> std::result::Result<(), Error> {
    attribute.reads().map_or(Ok(()), |reads| reads(value))
}

fn put(object: &mut Value, attribute: &Attribute, value: Value) {
    if let Value::Object(it) = object {
        it.insert(attribute.name.clone(), value);
    }
}

fn not_importable(type_name: &str, identity: Option<&IdentitySchema>) -> Diagnostics {
    let why = match identity {
        Some(_) => " by an id: it is imported by its identity, in an import block",
        None => ": the provider has no way to find one by an id",
    };
    let detail = format!("{type_name} cannot be imported{why}.");
    Diagnostic::error("Resource Import Not Implemented").detail(detail).into()
}
