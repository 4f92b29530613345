//! The providers of an evaluation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform::raw::{AnyDataSource, AnyFunction, AnyResource};
use ferroform::schema::{Mode as ParameterMode, Schema};
use ferroform::value::{Type, Typed, Value};
use ferroform_engine::ProviderServer;
use ferroform_lang::body::FailedCall;
use ferroform_lang::marks::{Marked, Marks};

use super::address::{Mode, ModulePath, ResourceName, module_path_prefix};
use super::problem::{Problem, Problems, Result};
use crate::harness::lock;
use crate::log_capture::LogCapture;
use crate::{Configuration, Harness, Invariant};

/// Starts a provider.
pub(crate) type ServerFactory = Arc<dyn Fn() -> ProviderServer + Send + Sync>;

/// A provider configuration: `provider["registry.terraform.io/hashicorp/local"].alias` of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ProviderKey {
    pub(crate) module: ModulePath,
    pub(crate) address: String,
    pub(crate) alias: Option<String>,
}

/// The attached providers, and a running one for each provider configuration, as Terraform starts a process for each.
#[derive(Default)]
pub(crate) struct Providers {
    factories: BTreeMap<String, ServerFactory>,
    /// A provider without a configuration for each address: for schemas, functions and validation.
    unconfigured: RefCell<BTreeMap<String, Harness>>,
    configured: BTreeMap<ProviderKey, (Harness, Value)>,
    allow_deferral: bool,
    skipped_checks: Vec<Invariant>,
    log: LogCapture,
}

impl std::fmt::Display for ProviderKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&module_path_prefix(&self.module))?;
        write!(f, "provider[{:?}]", self.address)?;
        self.alias.iter().try_for_each(|it| write!(f, ".{it}"))
    }
}

impl ProviderKey {
    /// Parses the form that a state contains.
    pub(crate) fn parse(text: &str) -> Option<ProviderKey> {
        let (module, rest) = text.split_once("provider[")?;
        let module = module.trim_end_matches('.');
        let module =
            module.split('.').filter(|it| !it.is_empty() && *it != "module").map(str::to_owned).collect();
        let (address, alias) = rest.split_once(']')?;
        let alias = alias.strip_prefix('.').map(str::to_owned);
        Some(ProviderKey { module, address: address.trim_matches('"').to_owned(), alias })
    }
}

impl Providers {
    pub(crate) fn attach(&mut self, address: &str, factory: ServerFactory) {
        self.factories.insert(address.to_owned(), factory);
    }

    pub(crate) fn skip_check(&mut self, invariant: Invariant) {
        self.skipped_checks.push(invariant);
    }

    pub(crate) fn capture_log(&mut self, log: LogCapture) {
        self.log = log;
    }

    /// Allows or forbids deferred actions.
    pub(crate) fn set_deferral(&mut self, is_allowed: bool) {
        self.allow_deferral = is_allowed;
        let unconfigured = self.unconfigured.get_mut().values();
        for harness in unconfigured.chain(self.configured.values().map(|(it, _)| it)) {
            lock(&harness.shared.metadata).deferral_allowed = is_allowed;
        }
    }

    fn start(&self, address: &str) -> Result<Harness> {
        let Some(factory) = self.factories.get(address) else {
            let known: Vec<&str> = self.factories.keys().map(String::as_str).collect();
            let detail = format!(
                "The provider {address} is not attached. The attached providers are: {}.",
                known.join(", ")
            );
            return Err(vec![Problem::error("Missing required provider", detail)]);
        };
        let harness = Harness::start_with_log(factory(), self.log.clone(), |_| Ok(())).ok();
        let harness = self.skipped_checks.iter().fold(harness, |harness, it| harness.skip_check(*it));
        lock(&harness.shared.metadata).deferral_allowed = self.allow_deferral;
        Ok(harness)
    }

    /// Returns a provider without a configuration.
    pub(crate) fn unconfigured(&self, address: &str) -> Result<Harness> {
        if let Some(it) = self.unconfigured.borrow().get(address) {
            return Ok(it.clone());
        }
        let harness = self.start(address)?;
        self.unconfigured.borrow_mut().insert(address.to_owned(), harness.clone());
        Ok(harness)
    }

    /// Configures the provider, unless it already has this configuration.
    pub(crate) fn configure(
        &mut self,
        key: &ProviderKey,
        config: &Configuration,
        value: &Value,
    ) -> Result<Problems> {
        if self.configured.get(key).is_some_and(|(_, it)| it == value) {
            return Ok(Problems::new());
        }
        let harness = match self.configured.get(key) {
            Some((harness, _)) => harness.clone(),
            None => self.start(&key.address)?,
        };
        let address = key.to_string();
        let warnings = harness.run_configure(config).map_err(|it| Problem::from_provider(it, &address))?;
        self.configured.insert(key.clone(), (harness, value.clone()));
        Ok(Problem::from_provider(warnings, &address))
    }

    /// Returns a configured provider.
    pub(crate) fn get(&self, key: &ProviderKey) -> Result<Harness> {
        match self.configured.get(key) {
            Some((harness, _)) => Ok(harness.clone()),
            None => {
                let detail = format!("The provider configuration {key} does not exist.");
                Err(vec![Problem::error("Provider configuration not present", detail)])
            }
        }
    }

    /// Returns the schema version of a resource or data source.
    pub(crate) fn schema_version(&self, address: &str, resource: &ResourceName) -> Option<i64> {
        self.with_schema(address, resource, |it| it.version)
    }

    /// Reads the schema of a resource or data source; `None` if the provider does not have it.
    pub(crate) fn with_schema<T>(
        &self,
        address: &str,
        resource: &ResourceName,
        read: impl FnOnce(&Schema) -> T,
    ) -> Option<T> {
        let harness = self.unconfigured(address).ok()?;
        let server = harness.server();
        Some(match resource.mode {
            Mode::Data => read(server.find::<dyn AnyDataSource>(&resource.kind).ok()?.schema()),
            _ => read(server.find::<dyn AnyResource>(&resource.kind).ok()?.schema()),
        })
    }

    /// Calls a function of a provider; `None` if the provider or the function does not exist.
    pub(crate) fn call_function(
        &self,
        address: &str,
        name: &str,
        arguments: &[Marked],
    ) -> Option<std::result::Result<Marked, FailedCall>> {
        let harness = self.unconfigured(address).ok()?;
        let function = harness.server().find::<dyn AnyFunction>(name).ok()?.clone();
        Some(call(&harness, name, &*function, arguments))
    }
}

fn call(
    harness: &Harness,
    name: &str,
    function: &dyn AnyFunction,
    arguments: &[Marked],
) -> std::result::Result<Marked, FailedCall> {
    let signature = function.signature();
    let least = signature.positional_parameters().len();
    let is_too_many = signature.variadic_parameter().is_none() && arguments.len() > least;
    if arguments.len() < least || is_too_many {
        let summary =
            if is_too_many { "Too many function arguments" } else { "Not enough function arguments" };
        let detail = format!("Function {name:?} expects {least} argument(s), but got {}.", arguments.len());
        return Err(FailedCall { summary: Some(summary), argument: None, detail });
    }
    let mut marks = Marks::none();
    let mut is_unknown = false;
    let mut received = Vec::new();
    for (position, argument) in arguments.iter().enumerate() {
        marks.extend(argument.marks.clone().into_root_marks());
        let failed = |detail: String| FailedCall { summary: None, argument: Some(position), detail };
        let Some(parameter) = signature.parameter_at(position) else {
            return Err(failed("the function does not have this parameter".to_owned()));
        };
        let converted =
            argument.clone().convert(parameter.ty()).map_err(|error| failed(error.to_string()))?.typed;
        if converted.value.is_null() && parameter.mode() == ParameterMode::Required {
            return Err(failed("argument must not be null".to_owned()));
        }
        is_unknown |=
            !converted.value.is_wholly_known() && !signature.unknown_allowed.contains(parameter.name());
        let is_dynamic = *parameter.ty() == Type::Dynamic && !converted.value.is_null();
        received.push(match is_dynamic && !matches!(converted.value, Value::Dynamic(_)) {
            true => Value::dynamic(converted.ty, converted.value),
            false => converted.value,
        });
    }
    let result = match is_unknown {
        true => Value::UNKNOWN,
        false => harness.run_function(&format!("the call of {name}"), name, function, received).map_err(
            |error| FailedCall {
                summary: None,
                argument: error.argument,
                detail: error.text.trim_end_matches('.').to_owned(),
            },
        )?,
    };
    let ty = &signature.result;
    let typed = Typed::resolve(result.clone(), ty).unwrap_or_else(|_| Typed::new(ty.clone(), result));
    Ok(Marked { typed, marks })
}
