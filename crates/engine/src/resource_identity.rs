//! Resource identity: creates the identities of all responses, and checks that the identity of an object does not
//! change.
//!
//! The engine creates the identity, so a provider cannot omit it. The identity comes from the first of these sources:
//!
//! 1. the identity that a method has set with [`RequestContext::set_identity`]
//! 2. the provider's `identify` method
//! 3. the attributes of the object with the same names
//!
//! Identity attributes that remain unknown keep the values of the prior identity.
//!
//! Example: a bucket is identified by `region` and `name`, which are attributes of the resource.
//!
//! ```text
//! planned state     { region = "eu", name = "a", size = 3 }
//! planned identity  { region = "eu", name = "a" }
//! ```
//!
//! If `name` is unknown, a new object has no planned identity, and an existing object keeps its prior name.

use ferroform_value::{Path, Value};

use crate::contract::{self, changed_attributes};
use crate::panics;
use crate::provider::AnyResource;
use crate::redaction::display::display_value;
use crate::schema::{Attribute, Block, IdentitySchema, Mode};
use crate::{Diagnostic, Diagnostics, RequestContext};

/// The error about a request with an identity for a resource that has none.
pub fn missing_identity_error(type_name: &str) -> Diagnostic {
    Diagnostic::error("Unable to Convert Resource Identity")
        .detail(format!("This version of the provider does not support resource identity for {type_name}."))
}

/// The identity of a resource in one request.
pub(crate) struct ResourceIdentity<'a> {
    schema: &'a IdentitySchema,
    resource: &'a dyn AnyResource,
    cx: &'a RequestContext,
}

impl<'a> ResourceIdentity<'a> {
    /// The identity of the resource; `None` if it has no identity schema.
    pub(crate) fn new(resource: &'a dyn AnyResource, cx: &'a RequestContext) -> Option<ResourceIdentity<'a>> {
        Some(ResourceIdentity { schema: resource.identity()?, resource, cx })
    }

    /// The planned identity. An object that is updated keeps its prior identity as far as the new one is unknown; a new
    /// object has a planned identity only if it is wholly known, because Terraform shows identities as JSON.
    pub(crate) async fn planned(
        &self,
        prior_identity: Option<&Value>,
        prior: &Value,
        planned: &Value,
        is_replaced: bool,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        if prior.is_null() {
            let identity = self.of(planned, diagnostics).await;
            return Some(identity).filter(Value::is_wholly_known).and_then(without_unknowns);
        }
        let prior_identity = prior_identity.cloned().or_else(|| self.known_identity(prior));
        if is_replaced {
            return prior_identity;
        }
        let planned = self.of(planned, diagnostics).await;
        let identity = keep_equal_attributes(self.schema, prior_identity.as_ref(), &planned);
        self.check_unchanged(prior_identity.as_ref(), &identity, diagnostics);
        without_unknowns(identity)
    }

    /// The identity of an object that was created, updated, read or imported. `operation` is part of a summary:
    /// `Create`.
    pub(crate) async fn after_operation(
        &self,
        operation: &str,
        prior_identity: Option<&Value>,
        object: &Value,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let identity = self.new_identity(operation, prior_identity, object, diagnostics).await;
        let Some(identity) = identity else { return prior_identity.cloned() };
        self.check_unchanged(prior_identity, &identity, diagnostics);
        Some(identity)
    }

    /// The identity of an object after an operation. Reports missing required attributes.
    async fn new_identity(
        &self,
        operation: &str,
        prior_identity: Option<&Value>,
        object: &Value,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let mut errors = Diagnostics::new();
        let identity = self.of(object, &mut errors).await;
        let identity = without_unknowns(keep_equal_attributes(self.schema, prior_identity, &identity));
        let has_failed = errors.has_error();
        diagnostics.extend(errors);
        // The errors of the provider's method explain which attributes are missing.
        let block = &self.resource.schema().block;
        if !has_failed && let Some(problem) = missing_attributes(block, self.schema, identity.as_ref()) {
            let summary = format!("Missing Resource Identity After {operation}");
            diagnostics.push(contract::provider_bug(summary, problem));
        }
        identity
    }

    /// The identity of an object in the first read after its import. The import may have requested some attributes.
    pub(crate) async fn after_import(
        &self,
        requested: Option<&Value>,
        object: &Value,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let identity = self.new_identity("Read", requested, object, diagnostics).await?;
        let changed = requested.into_iter().flat_map(|it| changed_attributes(self.schema, it, &identity));
        for (attribute, requested, found) in changed {
            let (block, path) = (&self.schema.block, Path::attribute(attribute.name.clone()));
            let (requested, found) =
                (display_value(block, &path, requested), display_value(block, &path, found));
            let detail = format!(
                "{}: the import requested {requested}, but the object that was read has {found}.",
                attribute.name
            );
            diagnostics.push(Diagnostic::error("Unexpected Identity After Import").detail(detail));
        }
        Some(identity)
    }

    /// The identity of an object as far as it follows from the object alone.
    pub(crate) fn known_identity(&self, object: &Value) -> Option<Value> {
        known_identity(self.schema, object)
    }

    /// The identity of an object that was moved, as far as it is known. The next read determines the rest.
    pub(crate) fn after_move(&self, object: &Value, diagnostics: &mut Diagnostics) -> Option<Value> {
        let Some(identity) = self.cx.new_identity() else { return self.known_identity(object) };
        diagnostics.extend(contract::check_type(&self.schema.block, &identity));
        without_unknowns(identity)
    }

    /// The identity of the object that exists after a failed create or update.
    pub(crate) async fn after_failure(
        &self,
        planned: Option<&Value>,
        object: &Value,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        if let Some(planned) = planned.filter(|_| !self.schema.mutable) {
            return Some(planned.clone());
        }
        let identity = self.of(object, diagnostics).await;
        without_unknowns(keep_equal_attributes(self.schema, planned, &identity)).or_else(|| planned.cloned())
    }

    /// Reports a change of an identity that must not change.
    fn check_unchanged(&self, prior: Option<&Value>, new: &Value, diagnostics: &mut Diagnostics) {
        if let Some(prior) = prior.filter(|_| !self.schema.mutable) {
            diagnostics.extend(contract::check_identity(self.schema, prior, new));
        }
    }

    /// The identity of an object. It may be partially unknown.
    async fn of(&self, object: &Value, diagnostics: &mut Diagnostics) -> Value {
        let identity = match self.cx.new_identity() {
            Some(identity) => Some(identity),
            None => self.created_by_provider(object, diagnostics).await,
        };
        if let Some(identity) = identity {
            let violations = contract::check_type(&self.schema.block, &identity);
            if violations.is_empty() {
                return identity;
            }
            diagnostics.extend(violations);
        }
        attributes_of(self.schema, object)
    }

    /// The identity that the provider's method creates for an object; `None` if it creates none.
    async fn created_by_provider(&self, object: &Value, diagnostics: &mut Diagnostics) -> Option<Value> {
        if !self.schema.by_provider || self.cx.provider().is_none() || !object.is_wholly_known() {
            return None;
        }
        let identity = panics::catch(self.resource.identify(self.cx.clone(), object.clone())).await;
        let identity = identity.unwrap_or_else(|panic| Err(panic.diagnostic("The method `identify`").into()));
        diagnostics.ok_or_extend(identity).filter(|it| !it.is_null())
    }
}

/// The identity of an object as far as it follows from the object alone.
pub(crate) fn known_identity(schema: &IdentitySchema, object: &Value) -> Option<Value> {
    without_unknowns(attributes_of(schema, object))
}

/// The same as [`after_failure`](ResourceIdentity::after_failure) without calling the provider.
pub(crate) fn known_identity_after_failure(
    schema: &IdentitySchema,
    planned: Option<&Value>,
    object: &Value,
) -> Option<Value> {
    let planned = planned.cloned();
    if schema.mutable {
        known_identity(schema, object).or(planned)
    } else {
        planned.or_else(|| known_identity(schema, object))
    }
}

/// An identity with these values.
fn identity_of(block: &Block, value: impl Fn(&Attribute) -> Value) -> Value {
    Value::Object(block.attributes().iter().map(|it| (it.name.clone(), value(it))).collect())
}

/// The identity with the values of the object's attributes of the same names. The other values are unknown.
pub(crate) fn attributes_of(schema: &IdentitySchema, object: &Value) -> Value {
    identity_of(&schema.block, |it| object.attribute(&it.name).cloned().unwrap_or(Value::UNKNOWN))
}

/// The identity with null for unknown values; `None` if no value remains.
pub(crate) fn without_unknowns(identity: Value) -> Option<Value> {
    let Value::Object(mut attributes) = identity else { return None };
    attributes.iter_mut().filter(|(_, it)| !it.is_wholly_known()).for_each(|(_, it)| *it = Value::Null);
    let is_empty = attributes.values().all(Value::is_null);
    (!is_empty).then_some(Value::Object(attributes))
}

/// The new identity, in which attributes that are unknown or semantically equal keep their prior values.
fn keep_equal_attributes(schema: &IdentitySchema, prior: Option<&Value>, new: &Value) -> Value {
    identity_of(&schema.block, |attribute| {
        let new = new.attribute_or_null(&attribute.name);
        let prior = prior.and_then(|it| it.attribute(&attribute.name));
        prior
            .filter(|it| !new.is_wholly_known() || attribute.is_semantically_equal(it, new))
            .unwrap_or(new)
            .clone()
    })
}

/// Describes the attributes that are missing in the identity of a resource with this block; `None` if it is complete. A null attribute of the
/// resource is not missing: it can become any value later.
fn missing_attributes(block: &Block, schema: &IdentitySchema, identity: Option<&Value>) -> Option<String> {
    let Some(identity) = identity else { return Some("No attribute of the identity is set.".into()) };
    let is_missing = |it: &&Attribute| {
        it.mode == Mode::Required
            && block.get(&it.name).is_none()
            && identity.attribute_or_null(&it.name).is_null()
    };
    let missing: Vec<String> =
        schema.block.attributes().iter().filter(is_missing).map(|it| format!("\"{}\"", it.name)).collect();
    (!missing.is_empty()).then(|| {
        format!("The identity requires these attributes, but they are not set: {}.", missing.join(", "))
    })
}
