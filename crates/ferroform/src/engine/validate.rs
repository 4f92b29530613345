//! Judges a configuration by its schema, then by the author's own rules.

use ferroform_value::{Object, Path, Step, Value};

use super::Server;
use super::run::{Effect, run};
use crate::schema::{Attribute, Block, Mode, Nesting};
use crate::{Diagnostic, Diagnostics};

impl Server {
    /// Judges a resource's configuration. `write_only` says that the host knows write-only attributes.
    pub async fn validate_resource(&self, type_name: &str, config: Value, write_only: bool) -> Diagnostics {
        let mut all = Diagnostics::new();
        let Some(resource) = all.take(self.resource(type_name).cloned()) else { return all };
        schema(&resource.schema().block, &config, write_only, &mut all);
        let call = self.early_call();
        let answer = resource.validate(call.clone(), config);
        let what = format!("The validation of {type_name}");
        run(&call, &what, Effect::Reads, answer, &mut all).await;
        all
    }

    /// Judges a data source's configuration.
    pub async fn validate_data_source(&self, type_name: &str, config: Value) -> Diagnostics {
        let mut all = Diagnostics::new();
        let Some(source) = all.take(self.data_source(type_name).cloned()) else { return all };
        schema(&source.schema().block, &config, true, &mut all);
        let call = self.early_call();
        let answer = source.validate(call.clone(), config);
        let what = format!("The validation of {type_name}");
        run(&call, &what, Effect::Reads, answer, &mut all).await;
        all
    }
}

/// Judges a configuration by its schema alone.
pub(super) fn schema(root: &Block, config: &Value, write_only: bool, all: &mut Diagnostics) {
    let mut walk = Walk { write_only, place: Path::ROOT, all };
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
    all: &'a mut Diagnostics,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block, config: &Object) {
        for attribute in &block.attributes {
            self.place.push(Step::Attribute(attribute.name.clone()));
            self.attribute(attribute, config.get(&attribute.name).unwrap_or(&Value::Null));
            self.place.pop();
        }
        for names in &block.exactly_one_of {
            self.exactly_one(names, config);
        }
        for nested in &block.blocks {
            let value = config.get(&nested.name).unwrap_or(&Value::Null);
            self.place.push(Step::Attribute(nested.name.clone()));
            self.nested(nested.nesting, &nested.block, value);
            if let Some(instead) = &nested.block.deprecated
                && is_set(value)
                && *value != nested.absent()
            {
                self.say(Diagnostic::warning("Block Deprecated").detail(instead));
            }
            self.place.pop();
        }
    }

    /// What is unknown may turn out to be set or not: it counts as neither.
    fn exactly_one(&mut self, names: &[std::sync::Arc<str>], config: &Object) {
        let value = |name: &str| config.get(name).unwrap_or(&Value::Null);
        let set: Vec<&str> = names.iter().map(|it| &**it).filter(|it| is_set(value(it))).collect();
        let all = names.join(", ");
        let detail = match set.as_slice() {
            [_] => return,
            [] if names.iter().any(|it| value(it).is_unknown()) => return,
            [] => format!("Exactly one of these must be set: {all}. None is."),
            [..] => format!("Exactly one of these must be set: {all}. But {} are.", set.join(" and ")),
        };
        let place = set.last().map_or_else(|| self.place.clone(), |it| self.place.clone().name(*it));
        self.all.push(Diagnostic::error("Invalid Attribute Combination").detail(detail).at(place));
    }

    fn attribute(&mut self, attribute: &Attribute, value: &Value) {
        let name = &attribute.name;
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
        // A rule sees wholly known values only: what it would say of an unknown part cannot be known yet.
        if value.is_wholly_known() {
            for rule in &attribute.validators {
                if let Err(broken) = rule(value) {
                    self.all.extend(broken.at(&self.place));
                }
            }
        }
        if let Some(nested) = &attribute.nested {
            self.nested(nested.nesting, &nested.block, value);
        }
        if let Some(instead) = &attribute.deprecated {
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
