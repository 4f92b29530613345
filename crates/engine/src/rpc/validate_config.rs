//! The validation of a configuration of any kind, such as ValidateProviderConfig and ValidateResourceConfig.
//!
//! A configuration is validated in two steps: by the schema (modes, types, validators, relations between attributes,
//! numbers of elements), and by the provider's own `validate` method. The configuration may have unknown values, which
//! are accepted unless their refinements already contradict a validator.
//!
//! A diagnostic of the second step is dropped if the first step has found an error at the same path. For example, if a
//! required attribute is null, its Rust type cannot hold the null either, and one error is enough.

use std::borrow::Cow;
use std::collections::HashSet;

use ferroform_value::{Object, Path, Step, Value};

use crate::ProviderServer;
use crate::diagnostic::sentence;
use crate::diagnostic_kind::DiagnosticKind;
use crate::element_matching::{duplicate_keys, elements};
use crate::failed_check::provider_bug;
use crate::kind::{Kind, Owner};
use crate::normalization::computed_blocks;
use crate::normalization::defaults::{self, DefaultScope};
use crate::panics;
use crate::redaction;
use crate::rpc::attribute_relations::{self, ObjectContext};
use crate::rpc::sensitive_values::sensitive_values;
use crate::run_method::{Effect, run};
use crate::schema::{Attribute, Block, Member, Mode, NestedBlock, Nesting, Relation, timeouts};
use crate::validator::{
    DynamicAdapter, InputForm, Validator, conversion_error, is_conversion_error, item_limits,
    with_effective_range,
};
use crate::{Diagnostic, Diagnostics};

impl ProviderServer {
    /// Validates the configuration of the provider or of an object, first by its schema, then by the provider's method.
    /// `write_only_allowed` is true if Terraform supports write-only attributes. Returns the errors and warnings.
    pub async fn validate_config(
        &self,
        owner: Owner<'_>,
        config: Value,
        write_only_allowed: bool,
    ) -> Diagnostics {
        let subject = if owner.name.is_empty() { owner.to_string() } else { owner.name.to_owned() };
        let operation = format!("the validation of {subject}");
        let masked = self.mask_config(owner, &config);
        // The messages about the schema are built without sensitive values. They are not masked, because a sensitive value
        // can be a word of their fixed text.
        let mut by_schema = Diagnostics::new();
        let validation = masked.respond(&operation, Diagnostics::new(), async |reported, sensitive| {
            let object = self.configurable(owner)?;
            let block = &object.schema().block;
            let config = if owner == Owner::PROVIDER { block.object_of(&config) } else { config };
            validate_schema(&operation, block, &config, write_only_allowed, &mut by_schema);
            let config = computed_blocks::with_null_for_omitted(block, config);
            let scope = DefaultScope::Configuration;
            // The validation by the schema has reported the errors of defaults.
            let Ok(with_defaults) = defaults::apply_defaults(block, &config, scope) else {
                return Ok(());
            };
            let cx = self.unconfigured_context(sensitive).with_write_only(write_only_allowed);
            let method = object.validate(cx.clone(), with_defaults.into_owned());
            run(&cx, &operation, Effect::Reads, method, reported).await;
            let at_defaults = std::mem::take(reported);
            *reported = defaults::with_configured_paths(Nesting::Single, block, &config, scope, at_defaults);
            Ok(())
        });
        let reported = validation.await;
        extend_at_paths_without_error(&mut by_schema, reported);
        by_schema
    }

    /// Reports the blocks that the configuration of a resource leaves to the provider, for a version of Terraform
    /// without computed blocks: it would treat an omitted block as no block at all.
    pub fn validate_computed_blocks(&self, type_name: &str, config: &Value) -> Diagnostics {
        let block = self.block(Kind::Resource.named(type_name));
        block.map_or_else(|_| Diagnostics::new(), |it| computed_blocks::omitted_block_errors(it, config))
    }
}

/// Adds diagnostics, except those at paths for which an error is known already.
fn extend_at_paths_without_error(diagnostics: &mut Diagnostics, more: Diagnostics) {
    let paths_with_error: HashSet<Path> = diagnostics.errors().filter_map(|it| it.path.clone()).collect();
    let is_new = |it: &Diagnostic| it.path.as_ref().is_none_or(|path| !paths_with_error.contains(path));
    diagnostics.extend(more.into_iter().filter(is_new));
}

/// Validates a configuration by its schema alone. If a validator or a Rust type of the provider panics, the panic
/// becomes an error at the path of the value.
pub(crate) fn validate_schema(
    operation: &str,
    root: &Block,
    config: &Value,
    write_only_allowed: bool,
    diagnostics: &mut Diagnostics,
) {
    let mut validation = ConfigValidation {
        write_only_allowed,
        path: Path::ROOT,
        is_sensitive: false,
        root: config,
        root_block: root,
        conversion_errors: Diagnostics::new(),
        diagnostics,
    };
    if let Value::Object(object) = config
        && let Err(panic) = panics::catch_sync(|| validation.object(root, config, object))
    {
        let panicked = panic.diagnostic(&format!("A validator or a type in {operation}"));
        let mut panicked = Diagnostics::from(panicked).at(validation.path.clone());
        sensitive_values(root, [config]).mask(&mut panicked);
        validation.diagnostics.extend(panicked);
    }
    let mut conversion_errors = std::mem::take(&mut validation.conversion_errors);
    if !conversion_errors.is_empty() {
        sensitive_values(root, [config]).mask(&mut conversion_errors);
        extend_at_paths_without_error(diagnostics, conversion_errors);
    }
    if let Some(message) = root.deprecation() {
        diagnostics.push(deprecation("Deprecated", message, "This block"));
    }
    diagnostics.extend(timeouts::unset_warning(root, config));
}

/// The warning about a deprecated block or attribute. A run-time schema may have an empty message.
fn deprecation(summary: &str, message: &str, subject: &str) -> Diagnostic {
    let detail =
        if message.trim().is_empty() { format!("{subject} is deprecated.") } else { message.to_owned() };
    Diagnostic::warning(summary).detail(detail)
}

/// A walk through a configuration.
struct ConfigValidation<'a> {
    write_only_allowed: bool,
    /// The path of the value that is being validated.
    path: Path,
    /// True inside a sensitive attribute.
    is_sensitive: bool,
    /// The whole configuration, and its schema.
    root: &'a Value,
    root_block: &'a Block,
    /// Errors of validators that could not convert the value to their Rust type. They are reported only at paths
    /// without another error.
    conversion_errors: Diagnostics,
    diagnostics: &'a mut Diagnostics,
}

impl ConfigValidation<'_> {
    fn object(&mut self, block: &Block, value: &Value, object: &Object) {
        for member in block.members() {
            let (name, value) = (member.name(), object.get_or_null(member.name()));
            self.path.push(Step::Attribute(name.clone()));
            match member {
                Member::Attribute(it) => self.attribute(it, value),
                Member::Block(it) => self.nested_block(it, value),
            }
            self.path.pop();
            self.relations(&member.behavior().relations, object, name);
        }
        if !block.groups().is_empty() {
            let context = self.object_context(object);
            let mut diagnostics = Diagnostics::new();
            block
                .groups()
                .iter()
                .for_each(|it| attribute_relations::validate_group(it, &context, &mut diagnostics));
            self.diagnostics.extend(diagnostics);
        }
        self.object_validators(block, value);
    }

    /// Runs the validators of the object as a whole. Their messages may contain sensitive values of the object.
    fn object_validators(&mut self, block: &Block, value: &Value) {
        for validator in block.validators() {
            let scope = default_scope(validator);
            // A default without a value is reported at its attribute.
            let Ok(object) = defaults::apply_defaults(block, value, scope) else { return };
            let object = match validator.input_form() {
                InputForm::Plain => object,
                InputForm::Dynamic | InputForm::DynamicWithDefaults => {
                    let adapter = DynamicAdapter::for_type(block.ty());
                    Cow::Owned(adapter.adapt_input(&object).into_owned())
                }
            };
            if let Err(errors) = validator.validate(&object) {
                let errors = defaults::with_configured_paths(Nesting::Single, block, value, scope, errors);
                let mut errors = self.without_conversion_errors(errors);
                sensitive_values(block, [&*object]).mask(&mut errors);
                if self.is_sensitive {
                    errors = redaction::validator_diagnostics(validator, errors, &object);
                }
                // The root has no path that Terraform could show.
                self.diagnostics.extend(if self.path.is_root() {
                    errors
                } else {
                    errors.at(self.path.clone())
                });
            }
        }
    }

    fn object_context<'a>(&'a self, object: &'a Object) -> ObjectContext<'a> {
        let ConfigValidation { root, root_block, path, write_only_allowed, .. } = self;
        ObjectContext { block: root_block, root, object, path, write_only_allowed: *write_only_allowed }
    }

    fn relations(&mut self, relations: &[Relation], object: &Object, name: &str) {
        if relations.is_empty() {
            return;
        }
        let context = self.object_context(object);
        let mut diagnostics = Diagnostics::new();
        relations
            .iter()
            .for_each(|it| attribute_relations::validate_relation(it, name, &context, &mut diagnostics));
        self.diagnostics.extend(diagnostics);
    }

    fn nested_block(&mut self, nested: &NestedBlock, value: &Value) {
        if nested.is_absent(value) {
            if nested.min_items > 0 {
                let detail = format!("At least one \"{}\" block is required.", nested.name);
                self.report(Diagnostic::error("Invalid Block").detail(detail));
            }
            return;
        }
        self.without_conversion_errors(conversion_errors(&nested.attribute, value));
        self.nested(nested.nesting, &nested.block, value);
        self.validate_objects(&nested.behavior().validators, nested.nesting, &nested.block, value);
        if nested.nesting != Nesting::Single {
            self.item_limits(nested.min_items, nested.max_items, value);
        }
        if let Some(message) = nested.block.deprecation().filter(|_| !value.is_unknown()) {
            let subject = format!("The block \"{}\"", nested.name);
            self.report(deprecation("Block Deprecated", message, &subject));
        }
    }

    fn item_limits(&mut self, min: u64, max: u64, value: &Value) {
        if let Some(validator) = item_limits(min, max) {
            self.validate(&[validator], value);
        }
    }

    /// Runs validators of nested objects, which receive the defaults of `default_with`.
    fn validate_objects(
        &mut self,
        validators: &[Validator<Value>],
        nesting: Nesting,
        block: &Block,
        value: &Value,
    ) {
        for validator in validators {
            let scope = default_scope(validator);
            let with_defaults = defaults::apply_nested_defaults(nesting, block, value, scope);
            let Ok(with_defaults) = with_defaults else { return };
            if let Err(errors) = validator.validate(&with_defaults) {
                let errors = defaults::with_configured_paths(nesting, block, value, scope, errors);
                self.report_validator(validator, &with_defaults, errors);
            }
        }
    }

    fn validate(&mut self, validators: &[Validator<Value>], value: &Value) {
        for validator in validators {
            if let Err(errors) = validator.validate(value) {
                let narrowed = errors.into_iter().map(|it| narrowed(validators, it)).collect();
                self.report_validator(validator, value, narrowed);
            }
        }
    }

    /// Reports the diagnostics of a validator, without sensitive values.
    fn report_validator(&mut self, validator: &Validator<Value>, value: &Value, errors: Diagnostics) {
        let errors = self.without_conversion_errors(errors);
        let errors = match self.is_sensitive {
            true => {
                let (ranges, others): (Vec<_>, Vec<_>) = errors.into_iter().partition(is_out_of_range);
                let ranges: Diagnostics = ranges.into_iter().map(|it| self.redacted(it)).collect();
                self.diagnostics.extend(ranges.at(self.path.clone()));
                redaction::validator_diagnostics(validator, others.into_iter().collect(), value)
            }
            false => errors,
        };
        self.diagnostics.extend(errors.at(self.path.clone()));
    }

    /// The diagnostics except conversion errors, which are kept for later.
    fn without_conversion_errors(&mut self, errors: Diagnostics) -> Diagnostics {
        let (conversion_errors, others): (Vec<_>, Vec<_>) = errors.into_iter().partition(is_conversion_error);
        let conversion_errors: Diagnostics =
            conversion_errors.into_iter().map(|it| self.redacted(it)).collect();
        self.conversion_errors.extend(conversion_errors.at(self.path.clone()));
        others.into_iter().collect()
    }

    /// A conversion error or an error about a range, without the value if that is sensitive.
    fn redacted(&self, diagnostic: Diagnostic) -> Diagnostic {
        match diagnostic.kind() {
            DiagnosticKind::ConversionError(conversion_error) if self.is_sensitive => {
                let detail = conversion_error.redacted.clone();
                diagnostic.detail(detail)
            }
            DiagnosticKind::NumberOutOfRange(error) if self.is_sensitive => {
                let detail = sentence(&error.redacted());
                diagnostic.detail(detail)
            }
            _ => diagnostic,
        }
    }

    fn attribute(&mut self, attribute: &Attribute, configured: &Value) {
        let name = &attribute.name;
        if attribute.write_only && attribute.mode.is_computed() {
            let message = format!(
                "The attribute \"{name}\" is write-only and computed. A write-only attribute is never stored, so the \
                 provider cannot set it"
            );
            return self.report(provider_bug("Invalid Attribute Definition", message));
        }
        let default_value;
        let value = match &attribute.behavior().default {
            // A value of `default_with`, such as an environment variable, is validated like a configured one.
            Some(default) if configured.is_null() && !default.is_static => {
                match default.value(name, attribute.requires_value()) {
                    Ok(value) => {
                        default_value = value;
                        &default_value
                    }
                    Err(error) => return self.report(error),
                }
            }
            _ => configured,
        };
        if value.is_null() {
            if attribute.mode == Mode::Required {
                let detail = format!("The argument \"{name}\" is required, but it is not set.");
                self.report(Diagnostic::error("Missing Configuration for Required Attribute").detail(detail));
            }
            return;
        }
        if attribute.mode == Mode::Computed {
            let detail = format!("Only the provider sets \"{name}\". Remove it from the configuration.");
            let error = Diagnostic::error("Invalid Configuration for Read-Only Attribute").detail(detail);
            self.report(error.of_kind(DiagnosticKind::ReadOnlyAttributeSet));
        }
        if attribute.write_only && !self.write_only_allowed {
            let detail = format!(
                "The attribute \"{name}\" is write-only. Write-only attributes require Terraform or OpenTofu 1.11 or later."
            );
            self.report(Diagnostic::error("WriteOnly Attribute Not Allowed").detail(detail));
        }
        let was_sensitive = self.is_sensitive;
        self.is_sensitive |= attribute.sensitive || attribute.write_only;
        self.value(attribute, value);
        self.is_sensitive = was_sensitive;
        let is_used = !configured.is_null() && !value.is_unknown();
        if let Some(message) = attribute.behavior().deprecated.as_ref().filter(|_| is_used) {
            let subject = format!("The attribute \"{}\"", attribute.name);
            self.report(deprecation("Attribute Deprecated", message, &subject));
        }
    }

    /// Validates a value that is not null; it may be unknown.
    fn value(&mut self, attribute: &Attribute, value: &Value) {
        let conversion_errors = conversion_errors(attribute, value);
        if attribute.nested.is_none() && !conversion_errors.is_empty() {
            // Their messages are more precise than the error of the conversion.
            let validators = attribute.behavior().validators.iter().filter(|it| it.is_before_conversion());
            let count = self.diagnostics.len();
            self.validate(&validators.cloned().collect::<Vec<_>>(), value);
            if self.diagnostics.len() > count {
                return;
            }
            let errors: Diagnostics = conversion_errors.into_iter().map(|it| self.redacted(it)).collect();
            return self.diagnostics.extend(errors.at(self.path.clone()));
        }
        self.without_conversion_errors(conversion_errors);
        let behavior = attribute.behavior();
        match &attribute.nested {
            Some(it) => self.validate_objects(&behavior.validators, it.nesting, &it.block, value),
            None => self.validate(&behavior.validators, value),
        }
        self.item_limits(behavior.min_items, behavior.max_items, value);
        if let Some(nested) = &attribute.nested {
            self.nested(nested.nesting, &nested.block, value);
        }
    }

    /// Reports elements with equal keys. An element with an unknown key could otherwise turn out to be the counterpart of a prior
    /// element that another element has been planned for.
    fn duplicate_keys(&mut self, nesting: Nesting, block: &Block, value: &Value) {
        if block.facts().keys.is_empty() || !matches!(nesting, Nesting::List | Nesting::Set) {
            return;
        }
        // A default that cannot be computed is reported at its attribute.
        let Ok(value) = defaults::apply_nested_defaults(nesting, block, value, DefaultScope::All) else {
            return;
        };
        let elements = elements(&value);
        for (first, duplicate) in duplicate_keys(block, elements.iter().copied()) {
            let key = match self.is_sensitive {
                true => String::new(),
                false => format!(": {}", redaction::describe_key(block, elements[duplicate])),
            };
            let subject = match nesting {
                Nesting::List => format!("The elements {first} and {duplicate}"),
                _ => "Two elements of the set".to_owned(),
            };
            let detail = format!("{subject} have the same key{key}. The key of each element must be unique.");
            self.report(Diagnostic::error("Duplicate Element Key").detail(detail));
        }
    }

    /// Validates the nested objects of a value. Null and unknown objects have no attributes to validate.
    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value) {
        self.duplicate_keys(nesting, block, value);
        if let (Nesting::Single, Value::Object(object)) = (nesting, value) {
            return self.object(block, value, object);
        }
        if let Value::Set(elements) = value {
            let duplicates = defaults::duplicate_elements(self.root_block, block, elements, &self.path);
            self.diagnostics.extend(duplicates);
        }
        for (step, element) in value.children() {
            self.element(step, block, element);
        }
    }

    fn element(&mut self, step: Step, block: &Block, element: &Value) {
        if let Value::Object(object) = element {
            self.path.push(step);
            self.object(block, element, object);
            self.path.pop();
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic.at(self.path.clone()));
    }
}

fn conversion_errors(attribute: &Attribute, value: &Value) -> Diagnostics {
    let errors = attribute.conversion_errors(value).into_iter();
    let validators = &attribute.behavior().validators;
    errors.flat_map(|it| conversion_error(&with_effective_range(validators, it))).collect()
}

/// The diagnostic with the range that all validators of the attribute require together, if it is about a number that is
/// out of range.
fn narrowed(validators: &[Validator<Value>], diagnostic: Diagnostic) -> Diagnostic {
    match diagnostic.kind() {
        DiagnosticKind::NumberOutOfRange(error) => {
            let error = error.clone().with_path(diagnostic.path.clone().unwrap_or_default());
            let error = with_effective_range(validators, error);
            diagnostic.detail(sentence(error.message())).of_kind(DiagnosticKind::NumberOutOfRange(error))
        }
        _ => diagnostic,
    }
}

fn is_out_of_range(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.kind(), DiagnosticKind::NumberOutOfRange(_))
}

/// The defaults that a validator of objects receives.
fn default_scope(validator: &Validator<Value>) -> DefaultScope {
    match validator.input_form() {
        InputForm::DynamicWithDefaults => DefaultScope::All,
        InputForm::Plain | InputForm::Dynamic => DefaultScope::Configuration,
    }
}
