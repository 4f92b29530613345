//! Judges a configuration by its schema, then by the author's own rules.

use std::borrow::Cow;
use std::collections::HashSet;

use ferroform_value::{Object, Path, Step, Type, Value};

use crate::ProviderServer;
use crate::diagnostic_kind::DiagnosticKind;
use crate::panics;
use crate::planning::defaults::{self, Which};
use crate::planning::relate::{self, Site};
use crate::provider::Answer;
use crate::redaction::{self, Secrets};
use crate::rpc::sensitive_values::sensitive_values;
use crate::run_method::{Effect, run};
use crate::schema::{Attribute, Block, Mode, NestedBlock, Nesting, Relation};
use crate::state::blocks;
use crate::validator::{Sight, Takes, Validator, is_unread, items, unread};
use crate::{Diagnostic, Diagnostics, RequestContext};

impl ProviderServer {
    /// Judges a resource's configuration. `write_only` says that the host knows write-only attributes.
    pub async fn validate_resource(&self, type_name: &str, config: Value, write_only: bool) -> Diagnostics {
        let mut all = Diagnostics::new();
        let Some(resource) = all.take(self.resource(type_name).cloned()) else { return all };
        let block = &resource.schema().block;
        let what = format!("the validation of {type_name}");
        schema(&what, block, &config, write_only, &mut all);
        let config = blocks::prepared(block, config);
        // What is wrong with a default has just been said.
        let Ok(filled) = defaults::fill(block, &config, Which::Given).map(Cow::into_owned) else {
            return all;
        };
        let call = self.early_call().with_write_only(write_only);
        let asked =
            Asked { what: &what, block, config: &config, secrets: sensitive_values(block, [&filled]) };
        let answer = resource.validate(call.clone(), filled);
        asked.own(&call, answer, &mut all).await;
        all
    }

    /// Judges a data source's configuration.
    pub async fn validate_data_source(&self, type_name: &str, config: Value) -> Diagnostics {
        let mut all = Diagnostics::new();
        let Some(source) = all.take(self.data_source(type_name).cloned()) else { return all };
        let block = &source.schema().block;
        let what = format!("the validation of {type_name}");
        schema(&what, block, &config, true, &mut all);
        let config = blocks::prepared(block, config);
        // What is wrong with a default has just been said.
        let Ok(filled) = defaults::fill(block, &config, Which::Given).map(Cow::into_owned) else {
            return all;
        };
        let call = self.early_call();
        let asked =
            Asked { what: &what, block, config: &config, secrets: sensitive_values(block, [&filled]) };
        let answer = source.validate(call.clone(), filled);
        asked.own(&call, answer, &mut all).await;
        all
    }

    /// Judges the provider's configuration.
    pub async fn validate_provider(&self, config: Value) -> Diagnostics {
        let mut all = Diagnostics::new();
        let block = &self.provider.schema().block;
        let config = block.object_of(&config);
        let what = "the validation of the provider's configuration";
        schema(what, block, &config, true, &mut all);
        // What is wrong with a default has just been said.
        let Ok(filled) = defaults::fill(block, &config, Which::Given).map(Cow::into_owned) else {
            return all;
        };
        let call = self.early_call();
        let asked = Asked { what, block, config: &config, secrets: sensitive_values(block, [&filled]) };
        let answer = self.provider.validate(call.clone(), filled);
        asked.own(&call, answer, &mut all).await;
        all
    }
}

/// What the author's method is asked.
struct Asked<'a> {
    what: &'a str,
    block: &'a Block,
    /// As it is written.
    config: &'a Value,
    secrets: Secrets,
}

impl Asked<'_> {
    /// Adds what the author's method says. Where the schema's rules have found an error, its is no second one: a null
    /// that the schema forbids does not fit the author's type either.
    async fn own(self, call: &RequestContext, answer: Answer<()>, all: &mut Diagnostics) {
        let mut more = Diagnostics::new();
        let what = self.what.replacen("the", "The", 1);
        run(call, &what, Effect::Reads, answer, &mut more).await;
        self.secrets.mask(&mut more);
        let more = defaults::as_written(Nesting::Single, self.block, self.config, Which::Given, more);
        unsaid(more, all);
    }
}

/// Adds what is said of places of which no error is known yet.
fn unsaid(more: Diagnostics, all: &mut Diagnostics) {
    let wrong: HashSet<Path> = all.errors().filter_map(|it| it.path.clone()).collect();
    all.extend(more.into_iter().filter(|it| it.path.as_ref().is_none_or(|place| !wrong.contains(place))));
}

/// Judges a configuration by its schema alone. A rule or a type of the author's that panics is an error at the place
/// that was judged.
pub(crate) fn schema(what: &str, root: &Block, config: &Value, write_only: bool, all: &mut Diagnostics) {
    let root_ty = root.ty();
    let mut walk = Walk {
        write_only,
        place: Path::ROOT,
        secret: false,
        root: config,
        root_block: root,
        root_ty: &root_ty,
        unread: Diagnostics::new(),
        all,
    };
    if let Value::Object(object) = config
        && let Err(panic) = panics::catch_now(|| walk.object(root, config, object))
    {
        let panicked = panic.diagnostic(&format!("A rule or a type in {what}"), "");
        let mut panicked = Diagnostics::from(panicked).at(&walk.place);
        sensitive_values(root, [config]).mask(&mut panicked);
        walk.all.extend(panicked);
    }
    let mut unread = std::mem::take(&mut walk.unread);
    if !unread.is_empty() {
        sensitive_values(root, [config]).mask(&mut unread);
        unsaid(unread, all);
    }
    if let Some(instead) = &root.deprecated {
        all.push(Diagnostic::warning("Deprecated").detail(instead));
    }
}

struct Walk<'a> {
    write_only: bool,
    place: Path,
    /// Where a sensitive attribute is around.
    secret: bool,
    /// The whole configuration, its schema and its type.
    root: &'a Value,
    root_block: &'a Block,
    root_ty: &'a Type,
    /// What the rules could not read. What has been said of the same place by then says more.
    unread: Diagnostics,
    all: &'a mut Diagnostics,
}

impl Walk<'_> {
    fn object(&mut self, block: &Block, whole: &Value, config: &Object) {
        for attribute in &block.attributes {
            self.place.push(Step::Attribute(attribute.name.clone()));
            self.attribute(attribute, config.get(&attribute.name).unwrap_or(&Value::Null));
            self.place.pop();
            self.relations(&attribute.behaviour().relations, config, &attribute.name);
        }
        if !block.groups.is_empty() {
            let site = self.site(config);
            let mut found = Diagnostics::new();
            block.groups.iter().for_each(|it| relate::group(it, &site, &mut found));
            self.all.extend(found);
        }
        for nested in &block.blocks {
            let value = config.get(&nested.name).unwrap_or(&Value::Null);
            self.place.push(Step::Attribute(nested.name.clone()));
            self.nested_block(nested, value);
            self.place.pop();
            self.relations(&nested.relations, config, &nested.name);
        }
        self.whole(block, whole);
    }

    /// What the rules for the whole object say. It may hold secrets, and what they say may quote them.
    fn whole(&mut self, block: &Block, object: &Value) {
        if block.rules.is_empty() {
            return;
        }
        for rule in &block.rules {
            // What has no value is said of the attribute.
            let written = object;
            let Ok(object) = defaults::fill(block, object, which(rule)) else { return };
            let object = match rule.takes() {
                Takes::Bare => object,
                Takes::Typed | Takes::Filled => {
                    Cow::Owned(Sight::any(&block.ty()).given(&object).into_owned())
                }
            };
            if let Err(broken) = rule.judge(&object) {
                let broken = defaults::as_written(Nesting::Single, block, written, which(rule), broken);
                let mut broken = self.read(broken);
                sensitive_values(block, [&*object]).mask(&mut broken);
                if self.secret {
                    broken = redaction::complaint(rule, broken, &object);
                }
                // At the root there is no place to point at.
                self.all.extend(if self.place.is_root() { broken } else { broken.at(&self.place) });
            }
        }
    }

    fn site<'a>(&'a self, object: &'a Object) -> Site<'a> {
        let Walk { root, root_block, root_ty, place, write_only, .. } = self;
        Site { block: root_block, root, root_ty, object, place, write_only: *write_only }
    }

    fn relations(&mut self, relations: &[Relation], object: &Object, name: &str) {
        if relations.is_empty() {
            return;
        }
        let site = self.site(object);
        let mut found = Diagnostics::new();
        relations.iter().for_each(|it| relate::relation(it, name, &site, &mut found));
        self.all.extend(found);
    }

    fn nested_block(&mut self, nested: &NestedBlock, value: &Value) {
        if nested.is_absent(value) {
            if nested.min_items > 0 {
                let detail = format!("There must be a block \"{}\".", nested.name);
                self.say(Diagnostic::error("Invalid Block").detail(detail));
            }
            return;
        }
        self.nested(nested.nesting, &nested.block, value);
        self.rules_of_objects(&nested.rules, nested.nesting, &nested.block, value);
        if nested.nesting != Nesting::Single {
            self.items(nested.min_items, nested.max_items, value);
        }
        if let Some(instead) = nested.block.deprecated.as_ref().filter(|_| !value.is_unknown()) {
            self.say(Diagnostic::warning("Block Deprecated").detail(instead));
        }
    }

    fn items(&mut self, min: u64, max: u64, value: &Value) {
        if let Some(rule) = items(min, max) {
            self.rules(&[rule], value);
        }
    }

    /// What the rules say of objects, which they see with what `default_with` puts in.
    fn rules_of_objects(
        &mut self,
        rules: &[Validator<Value>],
        nesting: Nesting,
        block: &Block,
        value: &Value,
    ) {
        for rule in rules {
            let which = which(rule);
            let Ok(filled) = defaults::fill_nested(nesting, block, value, which) else { return };
            if let Err(broken) = rule.judge(&filled) {
                self.broken(rule, &filled, defaults::as_written(nesting, block, value, which, broken));
            }
        }
    }

    fn rules(&mut self, rules: &[Validator<Value>], value: &Value) {
        for rule in rules {
            if let Err(broken) = rule.judge(value) {
                self.broken(rule, value, broken);
            }
        }
    }

    /// Adds what a rule says of a value.
    fn broken(&mut self, rule: &Validator<Value>, value: &Value, broken: Diagnostics) {
        let broken = self.read(broken);
        let broken = if self.secret { redaction::complaint(rule, broken, value) } else { broken };
        self.all.extend(broken.at(&self.place));
    }

    /// What a rule says of a value that it could read; the rest is kept apart.
    fn read(&mut self, broken: Diagnostics) -> Diagnostics {
        let (unread, read): (Vec<_>, Vec<_>) = broken.into_iter().partition(is_unread);
        let unread = unread.into_iter().map(|it| self.masked(it));
        self.unread.extend(unread.collect::<Diagnostics>().at(&self.place));
        read.into_iter().collect()
    }

    /// What does not fit, without what came where that is sensitive.
    fn masked(&self, it: Diagnostic) -> Diagnostic {
        match it.kind() {
            DiagnosticKind::Unreadable(unreadable) if self.secret => {
                let detail = unreadable.redacted.clone();
                it.detail(detail)
            }
            _ => it,
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
        let value = match &attribute.behaviour().default {
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
        let secret_around = self.secret;
        self.secret |= attribute.sensitive || attribute.write_only;
        self.value(attribute, value);
        self.secret = secret_around;
        if let Some(instead) =
            attribute.behaviour().deprecated.as_ref().filter(|_| is_configured && !value.is_unknown())
        {
            self.say(Diagnostic::warning("Attribute Deprecated").detail(instead));
        }
    }

    /// What is wrong with a value that is there, or with one that is not known yet, as far as that can be told.
    fn value(&mut self, attribute: &Attribute, value: &Value) {
        // Of objects each attribute is read by itself: what is left is a null instead of one.
        let misfits = match &attribute.nested {
            Some(_) if !holds_null(value) => Diagnostics::new(),
            _ => attribute.misfits(value).iter().flat_map(unread).collect(),
        };
        if attribute.nested.is_none() && !misfits.is_empty() {
            let misfits: Diagnostics = misfits.into_iter().map(|it| self.masked(it)).collect();
            return self.all.extend(misfits.at(&self.place));
        }
        self.read(misfits);
        let rules = &attribute.behaviour().rules;
        match &attribute.nested {
            Some(it) => self.rules_of_objects(rules, it.nesting, &it.block, value),
            None => self.rules(rules, value),
        }
        self.items(attribute.behaviour().min_items, attribute.behaviour().max_items, value);
        if let Some(nested) = &attribute.nested {
            self.nested(nested.nesting, &nested.block, value);
        }
    }

    /// Objects that are null or unknown have no attributes to judge.
    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value) {
        match (nesting, value) {
            (Nesting::Single, Value::Object(object)) => self.object(block, value, object),
            (Nesting::List, Value::List(elements)) => {
                for (i, element) in elements.iter().enumerate() {
                    self.element(Step::Index(i), block, element);
                }
            }
            (Nesting::Set, Value::Set(elements)) => {
                let doubles = defaults::doubles(block, elements, &self.place);
                self.all.extend(defaults::discreet(self.root_block, doubles));
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
            self.object(block, element, object);
            self.place.pop();
        }
    }

    fn say(&mut self, diagnostic: Diagnostic) {
        self.all.push(diagnostic.at(self.place.clone()));
    }
}

/// The defaults that a rule for objects sees.
fn which(rule: &Validator<Value>) -> Which {
    if rule.takes() == Takes::Filled { Which::All } else { Which::Given }
}

fn holds_null(value: &Value) -> bool {
    match value {
        Value::List(it) => it.iter().any(Value::is_null),
        Value::Set(it) => it.iter().any(Value::is_null),
        Value::Map(it) => it.values().any(Value::is_null),
        _ => false,
    }
}

impl ProviderServer {
    /// What is wrong with a resource's configuration for a host that does not know blocks that the provider may
    /// write: such a host takes a block that is left out for none at all.
    pub fn blocks_left_out(&self, type_name: &str, config: &Value) -> Diagnostics {
        let mut found = Diagnostics::new();
        if let Ok(resource) = self.resource(type_name) {
            blocks::left_out(&resource.schema().block, config, &mut Path::ROOT.clone(), &mut found);
        }
        found
    }
}
