//! What objects are known by: UpgradeResourceIdentity, and the identity that every other call hands out.
//!
//! An identity follows from the object. Nobody but this file writes one, so an author can neither forget it nor
//! answer another one.

use ferroform_value::{Path, Value};

use crate::contract::{self, changes};
use crate::diagnostic_kind::DiagnosticKind;
use crate::panics;
use crate::provider::AnyResource;
use crate::schema::{Attribute, Block, IdentitySchema};
use crate::{Diagnostic, Diagnostics, RequestContext};

/// The error for a resource without an identity, where one is needed.
pub fn without_identity(type_name: &str) -> Diagnostic {
    Diagnostic::error("Unable to Convert Resource Identity").detail(format!(
        "{type_name} has no identity: this version of the provider knows its objects by other means."
    ))
}

/// A resource that has an identity, during a call.
pub(crate) struct Identified<'a> {
    schema: &'a IdentitySchema,
    resource: &'a dyn AnyResource,
    call: &'a RequestContext,
}

impl<'a> Identified<'a> {
    /// The resource, where it has an identity.
    pub(crate) fn new(resource: &'a dyn AnyResource, call: &'a RequestContext) -> Option<Identified<'a>> {
        Some(Identified { schema: resource.identity()?, resource, call })
    }

    /// The identity that a plan is sent with: of an object that stays, its own; of one that comes to be, the new
    /// one where all of it is known. Hosts show it as JSON, which has no unknowns.
    pub(crate) async fn planned(
        &self,
        before: Option<&Value>,
        prior: &Value,
        planned: &Value,
        replaces: bool,
        found: &mut Diagnostics,
    ) -> Option<Value> {
        if prior.is_null() {
            return Some(self.of(planned, found).await).filter(Value::is_wholly_known).and_then(known);
        }
        let before = before.cloned().or_else(|| self.so_far(prior));
        if replaces {
            return before;
        }
        let planned = self.of(planned, found).await;
        let kept = keep(self.schema, before.as_ref(), &planned);
        self.judge(before.as_ref(), &kept, found);
        // What is not known yet stays as it is, for all that is known.
        let null = Value::Null;
        let old = |name: &str| before.as_ref().and_then(|it| it.attribute(name)).unwrap_or(&null);
        known(parts(&self.schema.block, |part| {
            let new = kept.attribute(&part.name).unwrap_or(&null);
            if new.is_wholly_known() { new.clone() } else { old(&part.name).clone() }
        }))
    }

    /// The identity of an object that was made, changed or read, where it was another one `before`.
    pub(crate) async fn after(
        &self,
        doing: &str,
        before: Option<&Value>,
        object: &Value,
        found: &mut Diagnostics,
    ) -> Option<Value> {
        let made = self.of(object, found).await;
        let Some(made) = known(made) else {
            let detail = format!("No part of the identity is set. {}", contract::BLAME);
            let missing =
                Diagnostic::error(format!("Missing Resource Identity After {doing}")).detail(detail);
            found.push(missing.of_kind(DiagnosticKind::ProviderBug));
            return before.cloned();
        };
        let kept = keep(self.schema, before, &made);
        self.judge(before, &kept, found);
        Some(kept)
    }

    /// The identity of an object that was read right after it was imported, where some parts were asked for.
    pub(crate) async fn imported(
        &self,
        asked: Option<&Value>,
        object: &Value,
        found: &mut Diagnostics,
    ) -> Option<Value> {
        let made = self.after("Read", None, object, found).await?;
        let kept = keep(self.schema, asked, &made);
        for (part, was, is) in asked.into_iter().flat_map(|asked| changes(self.schema, asked, &kept)) {
            let block = &self.schema.block;
            let place = Path::attribute(part.name.clone());
            let (was, is) = (
                crate::redaction::show::show(block, &place, was),
                crate::redaction::show::show(block, &place, is),
            );
            let detail = format!("{}: {was} was asked for, but what was found has {is}.", part.name);
            found.push(Diagnostic::error("Imported object has another identity").detail(detail));
        }
        Some(kept)
    }

    /// What is known of the identity of an object that is not whole.
    pub(crate) fn so_far(&self, object: &Value) -> Option<Value> {
        so_far(self.schema, object)
    }

    /// The identity of the object that a failed call leaves, where another one may have been planned.
    pub(crate) async fn left(
        &self,
        planned: Option<&Value>,
        object: &Value,
        found: &mut Diagnostics,
    ) -> Option<Value> {
        if let Some(planned) = planned.filter(|_| !self.schema.mutable) {
            return Some(planned.clone());
        }
        let made = known(self.of(object, found).await);
        made.map(|made| keep(self.schema, planned, &made)).or_else(|| planned.cloned())
    }

    fn judge(&self, before: Option<&Value>, after: &Value, found: &mut Diagnostics) {
        if let Some(before) = before.filter(|_| !self.schema.mutable) {
            found.extend(contract::identity(self.schema, before, after));
        }
    }

    /// The identity of an object, as far as it is known.
    async fn of(&self, object: &Value, found: &mut Diagnostics) -> Value {
        if self.schema.by_provider && self.call.provider().is_some() && object.is_wholly_known() {
            let made = panics::catch(self.resource.identify(self.call.clone(), object.clone())).await;
            let made =
                made.unwrap_or_else(|panic| Err(panic.diagnostic("What makes the identity", "").into()));
            if let Some(made) = found.take(made) {
                let broken = contract::conforms(&self.schema.block, &made);
                if broken.is_empty() {
                    return made;
                }
                found.extend(broken);
            }
        }
        named(self.schema, object)
    }
}

/// What is known of the identity of an object without asking the provider.
pub(crate) fn so_far(schema: &IdentitySchema, object: &Value) -> Option<Value> {
    known(named(schema, object))
}

/// [`left`](Identified::left) without asking the provider.
pub(crate) fn left_so_far(schema: &IdentitySchema, planned: Option<&Value>, object: &Value) -> Option<Value> {
    let planned = planned.cloned();
    if schema.mutable {
        so_far(schema, object).or(planned)
    } else {
        planned.or_else(|| so_far(schema, object))
    }
}

/// An object of the parts.
fn parts(block: &Block, part: impl Fn(&Attribute) -> Value) -> Value {
    Value::Object(block.attributes.iter().map(|it| (it.name.clone(), part(it))).collect())
}

/// The parts that the object has under the same names; the others are not known.
fn named(schema: &IdentitySchema, object: &Value) -> Value {
    parts(&schema.block, |part| object.attribute(&part.name).cloned().unwrap_or(Value::UNKNOWN))
}

/// The identity with null for what is unknown; none where nothing is left.
pub(crate) fn known(identity: Value) -> Option<Value> {
    let Value::Object(mut parts) = identity else { return None };
    parts.iter_mut().filter(|(_, it)| !it.is_wholly_known()).for_each(|(_, it)| *it = Value::Null);
    let is_empty = parts.values().all(Value::is_null);
    (!is_empty).then_some(Value::Object(parts))
}

/// The new identity with the old text wherever the two mean the same.
fn keep(schema: &IdentitySchema, old: Option<&Value>, new: &Value) -> Value {
    parts(&schema.block, |part| {
        let new = new.attribute(&part.name).unwrap_or(&Value::Null);
        let old = old.and_then(|it| it.attribute(&part.name)).filter(|it| part.same(it, new));
        old.unwrap_or(new).clone()
    })
}
