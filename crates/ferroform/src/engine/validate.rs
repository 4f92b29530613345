//! Judges a configuration by its schema, then by the author's own rules.

use std::borrow::Cow;

use ferroform_value::{Object, Path, Step, Type, Value};

use super::Server;
use super::defaults::{self, Which};
use super::relate::{self, Site};
use super::run::{Effect, run};
use super::secrets;
use crate::diag::sentence;
use crate::rule::Rule;
use crate::schema::{Attribute, Block, Mode, NestedBlock, Nesting, Relation};
use crate::{Diagnostic, Diagnostics, Severity};

impl Server {
    /// Judges a resource's configuration. `write_only` says that the host knows write-only attributes.
    pub async fn validate_resource(&self, type_name: &str, config: Value, write_only: bool) -> Diagnostics {
        let mut all = Diagnostics::new();
        let Some(resource) = all.take(self.resource(type_name).cloned()) else { return all };
        let block = &resource.schema().block;
        schema(block, &config, write_only, &mut all);
        // What is wrong with a default has just been said.
        let Ok(config) = defaults::fill(block, &config, Which::Given).map(Cow::into_owned) else {
            return all;
        };
        let call = self.early_call();
        let answer = resource.validate(call.clone(), config);
        let what = format!("The validation of {type_name}");
        let mut more = Diagnostics::new();
        run(&call, &what, Effect::Reads, answer, &mut more).await;
        add(&mut all, more);
        all
    }

    /// Judges a data source's configuration.
    pub async fn validate_data_source(&self, type_name: &str, config: Value) -> Diagnostics {
        let mut all = Diagnostics::new();
        let Some(source) = all.take(self.data_source(type_name).cloned()) else { return all };
        let block = &source.schema().block;
        schema(block, &config, true, &mut all);
        let Ok(config) = defaults::fill(block, &config, Which::Given).map(Cow::into_owned) else {
            return all;
        };
        let call = self.early_call();
        let answer = source.validate(call.clone(), config);
        let what = format!("The validation of {type_name}");
        let mut more = Diagnostics::new();
        run(&call, &what, Effect::Reads, answer, &mut more).await;
        add(&mut all, more);
        all
    }
}

/// Adds what the author's rules say. Where the schema's have found an error, theirs is no second one: a null
/// that the schema forbids does not fit the author's type either.
fn add(all: &mut Diagnostics, more: Diagnostics) {
    let errors = all.iter().filter(|it| it.severity == Severity::Error);
    let wrong: Vec<Path> = errors.filter_map(|it| it.path.clone()).collect();
    all.extend(more.into_iter().filter(|it| it.path.as_ref().is_none_or(|place| !wrong.contains(place))));
}

/// Judges a configuration by its schema alone.
pub(super) fn schema(root: &Block, config: &Value, write_only: bool, all: &mut Diagnostics) {
    let root_ty = root.ty();
    let mut walk =
        Walk { write_only, place: Path::ROOT, secret: false, root: config, root_ty: &root_ty, all };
    if let Value::Object(config) = config {
        walk.block(root, config);
    }
    if let Some(instead) = &root.deprecated {
        walk.all.push(Diagnostic::warning("Deprecated").detail(instead));
    }
}

struct Walk<'a> {
    write_only: bool,
    place: Path,
    /// Where a sensitive attribute is around.
    secret: bool,
    /// The whole configuration, and its type.
    root: &'a Value,
    root_ty: &'a Type,
    all: &'a mut Diagnostics,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block, config: &Object) {
        for attribute in &block.attributes {
            self.place.push(Step::Attribute(attribute.name.clone()));
            self.attribute(attribute, config.get(&attribute.name).unwrap_or(&Value::Null));
            self.place.pop();
            self.relations(&attribute.relations, config, &attribute.name);
        }
        for group in &block.groups {
            relate::group(group, config, &self.place, self.all);
        }
        for nested in &block.blocks {
            let value = config.get(&nested.name).unwrap_or(&Value::Null);
            self.place.push(Step::Attribute(nested.name.clone()));
            self.nested_block(nested, value);
            self.place.pop();
            self.relations(&nested.relations, config, &nested.name);
        }
    }

    fn relations(&mut self, relations: &[Relation], object: &Object, name: &str) {
        for relation in relations {
            let (root, root_ty) = (self.root, self.root_ty);
            let site = Site { root, root_ty, object, place: &self.place, name };
            relate::relation(relation, &site, self.all);
        }
    }

    fn nested_block(&mut self, nested: &NestedBlock, value: &Value) {
        let is_there = is_set(value) && *value != nested.absent();
        if !is_there && !value.is_unknown() && nested.min_items > 0 {
            let detail = format!("There must be a block \"{}\".", nested.name);
            self.say(Diagnostic::error("Invalid Block").detail(detail));
        }
        self.nested(nested.nesting, &nested.block, value);
        if is_there {
            self.rules(&nested.rules, value);
        }
        if let Some(instead) = nested.block.deprecated.as_ref().filter(|_| is_there) {
            self.say(Diagnostic::warning("Block Deprecated").detail(instead));
        }
    }

    fn rules(&mut self, rules: &[Rule<Value>], value: &Value) {
        for rule in rules {
            if let Err(broken) = rule.judge(value) {
                let broken = if self.secret { secrets::complaint(rule, broken, value) } else { broken };
                self.all.extend(broken.at(&self.place));
            }
        }
    }

    fn attribute(&mut self, attribute: &Attribute, value: &Value) {
        let name = &attribute.name;
        if attribute.write_only && attribute.mode.is_computed() {
            let detail = format!(
                "\"{name}\" is never stored, so the provider cannot write it. This is a bug in the provider."
            );
            return self.say(Diagnostic::error("Invalid Attribute Definition").detail(detail));
        }
        let is_configured = !value.is_null();
        let made;
        let value = match &attribute.default {
            // What comes from elsewhere is judged as if it had been written.
            Some(default) if value.is_null() && !default.is_fixed => match default.value(name) {
                Ok(it) => {
                    made = it;
                    &made
                }
                Err(fault) => return self.say(fault),
            },
            _ => value,
        };
        if value.is_null() {
            if attribute.mode == Mode::Required {
                let detail = format!("The argument \"{name}\" is required, but no value was given.");
                self.say(Diagnostic::error("Missing Configuration for Required Attribute").detail(detail));
            }
            return;
        }
        if attribute.mode == Mode::Computed {
            let detail = format!("The provider sets \"{name}\"; it cannot be set in the configuration.");
            self.say(Diagnostic::error("Invalid Configuration for Read-Only Attribute").detail(detail));
        }
        if attribute.write_only && !self.write_only {
            let detail =
                format!("\"{name}\" is write-only, which needs Terraform or OpenTofu 1.11 or later.");
            self.say(Diagnostic::error("WriteOnly Attribute Not Allowed").detail(detail));
        }
        if value.is_unknown() {
            return;
        }
        let secret_around = self.secret;
        self.secret |= attribute.sensitive || attribute.write_only;
        if attribute.nested.is_none()
            && let Some(Err(misfit)) = attribute.reads.map(|reads| reads(value))
        {
            let text =
                if self.secret { secrets::misfit(&misfit, value) } else { misfit.message().to_owned() };
            let misfit = Diagnostic::error("Configuration Read Error")
                .detail(sentence(&text))
                .at(misfit.path().clone());
            let misfit = Diagnostics::from(misfit);
            self.all.extend(misfit.at(&self.place));
        } else {
            self.rules(&attribute.rules, value);
        }
        if let Some(nested) = &attribute.nested {
            self.nested(nested.nesting, &nested.block, value);
        }
        self.secret = secret_around;
        if let Some(instead) = attribute.deprecated.as_ref().filter(|_| is_configured) {
            self.say(Diagnostic::warning("Attribute Deprecated").detail(instead));
        }
    }

    /// Objects that are null or unknown have no attributes to judge.
    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value) {
        match (nesting, value) {
            (Nesting::Single, Value::Object(object)) => self.block(block, object),
            (Nesting::List, Value::List(elements)) => {
                for (i, element) in elements.iter().enumerate() {
                    self.element(Step::Index(i), block, element);
                }
            }
            (Nesting::Set, Value::Set(elements)) => {
                for element in elements {
                    self.element(Step::Element(Box::new(element.clone())), block, element);
                }
            }
            (Nesting::Map, Value::Map(entries)) => {
                for (key, element) in entries {
                    self.element(Step::Key(key.clone()), block, element);
                }
            }
            _ => {}
        }
    }

    fn element(&mut self, step: Step, block: &Block, element: &Value) {
        if let Value::Object(object) = element {
            self.place.push(step);
            self.block(block, object);
            self.place.pop();
        }
    }

    fn say(&mut self, diagnostic: Diagnostic) {
        self.all.push(diagnostic.at(self.place.clone()));
    }
}

fn is_set(value: &Value) -> bool {
    !value.is_null() && !value.is_unknown()
}
